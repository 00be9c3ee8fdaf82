"""This table has the terms that stand alone in headings and cells, with their Chinese; it takes those of reports."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.base.words.language import documents
from qddot.papers.report.languages import LANGUAGES

LABELS: Mapping[str, str] = documents("zh", "pictures")["words"]
REPORT: Mapping[str, str] = LANGUAGES["zh"].sentences


def _terms(english: Mapping[str, str], chinese: Mapping[str, str]) -> dict[str, str]:
    """Returns the terms of a catalogue of reports, without its sentences."""
    return {word: chinese[key] for key, word in english.items() if word and not set(word) & set("{$«.:")}


TERMS = {
    **LABELS,
    **_terms(LANGUAGES["en"].chains, LANGUAGES["zh"].chains),
    **_terms(LANGUAGES["en"].sentences, REPORT),
    **{name: f"{title}（{name}）" for name, (title, _) in LANGUAGES["zh"].routes.items()},
    "given": "按元素给出",
    "name": "名称",
    "named": "名称",
    "axis in joint": REPORT["axis"],
    "origin in parent": REPORT["origin"],
    "axes in parent": REPORT["axes"],
    "limits": "限位",
    "effects": REPORT["effect"],
    "joints": REPORT["joint"],
    "symbols": REPORT["symbol"],
    "what it is": "简介",
    "closed chain": "闭链",
    "default": "默认值",
    "origin of its frame": "坐标系原点",
    "spring": "弹簧",
    "hint": "提示",
    "warning": "警告",
    "error": "错误",
    "where": "位置",
    "what was found": "发现",
    "why it matters": "原因",
    "remedy": "处理",
    "mass matrix": "质量矩阵",
    "loops": "环",
    "base parameter": "最小惯性参数",
    "combination that affects the motion": "影响运动的参数组合",
    "error ≤": "误差 ≤",
    "observed": "抽样误差",
    "largest": "最大值",
    "short form": "简化式",
    "quantity": "量",
    "proven": "已证明",
    "gap": "相对差",
    "boxes": "子区域数",
    "seconds": "用时 [s]",
    "yours − exact": "您的 − 精确值",
    "likeliest mistake": "最可能的错误",
    "as it is read": "读作",
    "answer": "答案",
    "right": "正确",
    "points": "得分",
    "first mistake": "第一处错误",
    "answers": "答案数",
    "not read because of": "未读取的原因",
    "example": "示例",
    "E at the start [J]": "开始时的 E [J]",
    "E at the end [J]": "结束时的 E [J]",
    "end [s]": "结束 [s]",
    "viscous": REPORT["viscous"],
    "coulomb": REPORT["coulomb"],
    "armature": "转子惯量",
}

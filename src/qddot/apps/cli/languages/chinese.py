"""These are the sentences of commands in Chinese; they have the keys of the English ones."""

from __future__ import annotations

SENTENCES = {
    "and": "、",
    "titled": "{name}：{title}",
    "source": "来源：{source}",
    "note": "说明：{note}",
    "more notes": "另有 {number} 条说明，可用 `qddot show` 列出",
    "wrote": "已写入 {path}",
    # equations
    "law": "{law}，{origin}；{meanings}",
    "route": "推导法：{route}",
    "by Lagrange": "由 K 和 P 按拉格朗日方程推导",
    "between": "，",
    "rates": "{rate}、{second} 为 {name} 的速度与加速度",
    "velocity": "{name} 为速度，{rate} 为其导数",
    "chain law": "{law}，其中 {velocities}",
    "rates of a chain": "q̇ = R u，u 为 {names} 的速度",
    "velocities of a chain": "ν = R u，u 为 {names}",
    "short form": "简写形式，已证明与标准形相等",
    "rounded to a digit": "简写形式，舍入到 1 位数字之前已证明与标准形相等",
    "rounded": "简写形式，舍入到 {digits} 位数字之前已证明与标准形相等",
    "intervals": "{name}：在各符号公差范围内的界限；为零的元素略去",
    "entry": "元素",
    "at least": "下界",
    "at most": "上界",
    "to check": "检验：{command}",
    # models
    "links": "q = 0 时的各连杆：",
    "convention": "{sentence}：",
    "freedoms": "自由度：{number}；独立坐标：{names}",
    "conditions": "约束条件：{number} 个",
    "conditions that follow": "约束条件：{number} 个；其中由其他条件得出的：{names}",
    "closed there": "已证明：恰有一个闭合位形与以上数值相距不超过 {radius}",
    "no loops": "该机构没有环，任何位形都是可能的",
    "mode": "装配形式 {number}：{q}",
    "modes": "已证明：恰有 {number} 个",
    "line": "行",
    # answers
    "points": "得分：{marks}",
    # motions
    "energies": "能量 [J]",
    "start": "开始",
    "at a time": "t = {time} s",
    "at the end": "结束时的 {name}",
    "energy": "能量：{balance}",
    "trust": "轨迹：{verdict}",
    "trust of": "轨迹（{label}）：{verdict}",
    "interrupted": "已中断；以上结果均止于最后一个采样点，t = {time} s",
    "out of balance": "该运动有误，因为能量收支不平衡：{balance}，允许 {allowed} J；"
    "请减小 {option} 或换用其他 --method",
}

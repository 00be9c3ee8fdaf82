"""Turns a document into slides: the arm first, then one idea a slide, and at the end its equations of motion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.exact.equations.assembled import ASSEMBLED
from qddot.papers.report.document import (
    Block,
    Columns,
    Document,
    EquationBlock,
    Figure,
    Folded,
    Paragraph,
    Section,
)
from qddot.papers.report.wording import Words

TITLE = "title"  # the key of the first slide
SOURCES = "sources"
RESULTS = (ASSEMBLED, "tau")  # equations that stand on the last slides before the sources
HIGHEST = 0.3  # of pictures on paper, in widths of the text


def in_slides(document: Document) -> Document:
    """Returns a document with a section for each slide; a format continues one that is too long on further slides.

    An idea is what some sentences introduce: a block of equations, a table or a picture. The first section has the
    picture of the robot. The last one before the sources has the law, that it is proved, and the assembled equations.
    """
    picture = [block for block in document.sections[0].blocks if isinstance(block, Figure)][:1]
    first = Section(TITLE, document.title, (Paragraph((document.subtitle,)), *map(_lower, picture)))
    slides, results = list[Section](), list[Block]()
    for section in document.sections:
        blocks = [block for block in section.blocks if block not in picture]
        for slide in _slides(section._replace(blocks=tuple(blocks))):
            if any(isinstance(block, EquationBlock) and block.key in RESULTS for block in slide.blocks):
                results += slide.blocks
            else:
                slides.append(slide)
    result = _slides(Section("result", Words(document.lang)("result"), (*_summary(document), *results)))
    end = next((k for k, slide in enumerate(slides) if slide.key.startswith(SOURCES)), len(slides))
    sections = (first, *slides[:end], *result, *slides[end:])
    return document._replace(sections=sections, contents=False, numbered=False, slides=True)


def _summary(document: Document) -> list[Paragraph]:
    """Returns the first sentences of the sections on the equations and on their proof."""
    told = (section.blocks[0] for key in ("equations", "proof") for section in document.sections if section.key == key)
    return [block for block in told if isinstance(block, Paragraph)]


def _slides(section: Section) -> Iterator[Section]:
    """Yields a section for each idea; columns, and what is folded, have their own titles."""
    count = 0
    for title, blocks in _titled(section.title, section.blocks):
        for idea in _ideas(blocks):
            count += 1
            yield Section(f"{section.key}-{count}", title, tuple(map(_lower, idea)))


def _titled(title: str, blocks: Sequence[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Yields consecutive blocks with their title."""
    own: list[Block] = []
    for block in blocks:
        if isinstance(block, Columns | Folded):
            yield title, own
            own = []
            for part in block.columns if isinstance(block, Columns) else (block,):
                yield from _titled(part.title, part.blocks)
        else:
            own.append(block)
    yield title, own


def _ideas(blocks: Sequence[Block]) -> list[list[Block]]:
    """Returns each block with the sentences that introduce it; those at the end belong to the idea before them."""
    ideas: list[list[Block]] = []
    for k, block in enumerate(blocks):
        starts = not (k and isinstance(blocks[k - 1], Paragraph))
        is_last = all(isinstance(each, Paragraph) for each in blocks[k:])
        if not ideas or (starts and not is_last):
            ideas.append([])
        ideas[-1].append(block)
    return ideas


def _lower(block: Block) -> Block:
    return block._replace(highest=min(block.highest, HIGHEST)) if isinstance(block, Figure) else block

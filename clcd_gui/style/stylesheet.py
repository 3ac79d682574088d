"""The one stylesheet, written from the tokens.

Widgets ask for a look by dynamic properties, so that no view carries colours of its own:

``look="primary"`` the one main button of a page; ``look="quiet"`` a button without a frame;
``look="link"`` a low one among text; ``look="ask"`` a quiet question mark;
``look="card"`` a frame on the base colour; ``look="panel"`` the same without a frame until it has the focus;
``look="paper"`` a page as it is printed, white in either theme;
``look="below"`` what stands under a panel that is scrolled;
``look="notice"`` with ``tone`` info, warning or error;
``look="rail"``, ``look="step"`` the steps at the left; ``look="bar"`` the strip under the page;
``look="muted"`` secondary text; ``look="heading"`` a page's heading; ``look="title"`` a section's title.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection

from PySide6.QtWidgets import QWidget

from clcd_gui.resource_path import resource_path
from clcd_gui.style.tokens import (
    CONTROL_HEIGHT,
    DARK,
    FOCUS_WIDTH,
    LIGHT,
    RADIUS,
    SPACE,
    SPACE_LARGE,
    SPACE_SMALL,
    TEXT_HEADING,
    TEXT_SMALL,
    Colours,
)

# The property of what wears the stylesheet.
THEME = "theme"
_RULE = re.compile(r"([^{}]+)(\{[^}]*\})")
# Of what follows the theme by itself, these kinds of widgets have rules of their own.
_KINDS_OF_PARTS = ("QFrame", "QMenuBar", "QAbstractItemView")
_BEFORE_COLON = re.compile(r"^[^:]*")

_TEMPLATE = """
QToolTip {{ background: {base}; color: {text}; border: 1px solid {border}; padding: {space_small}px; }}

QLabel[look="muted"] {{ color: {muted}; }}
QLabel[look="title"], QLabel[look="heading"] {{ font-weight: 600; }}
QLabel[tone="error"] {{ color: {error}; }}
QLabel[tone="warning"] {{ color: {warning}; }}

QPushButton {{
    background: {base}; color: {text}; border: 1px solid {border}; border-radius: {radius}px;
    padding: 0 {space_large}px; min-height: {inner_height}px;
}}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed {{ background: {sunken}; }}
QPushButton:focus {{
    border: {focus}px solid {accent}; padding: 0 {focused_padding}px; min-height: {focused_height}px;
}}
QPushButton:disabled {{ color: {muted}; background: {window}; }}
QPushButton[look="primary"] {{
    background: {accent_fill}; color: {accent_text}; border: 1px solid {accent_fill}; font-weight: 600;
}}
QPushButton[look="primary"]:hover {{ background: {accent_fill_hover}; border-color: {accent_fill_hover}; }}
QPushButton[look="primary"]:focus {{ border: {focus}px solid {text}; }}
QPushButton[look="primary"]:disabled {{ background: {hover}; color: {muted}; border-color: {border}; }}
QPushButton[look="quiet"] {{ background: transparent; border: 1px solid transparent; color: {accent}; }}
QPushButton[look="quiet"]:hover {{ background: {hover}; }}
QPushButton[look="quiet"]:focus {{ border: {focus}px solid {accent}; }}
QPushButton[look="link"] {{
    background: transparent; border: 1px solid transparent; color: {accent}; padding: 0 {space_small}px;
    min-height: 0; text-align: left;
}}
QPushButton[look="link"]:hover {{ text-decoration: underline; }}
QPushButton[look="link"]:focus {{ border: {focus}px solid {accent}; padding: 0 3px; }}
QPushButton[look="quiet"]:disabled {{ color: {muted}; background: transparent; }}

QToolButton {{
    background: transparent; border: 1px solid transparent; border-radius: {radius}px;
    padding: {space_small}px;
}}
QToolButton:hover {{ background: {hover}; }}
QToolButton:checked {{ background: {selection}; color: {selection_text}; }}
QToolButton:focus {{ border: {focus}px solid {accent}; padding: 3px; }}

QToolButton[look="ask"] {{ color: {muted}; padding: 0 {space_small}px; }}
QToolButton[look="ask"]:hover {{ color: {accent}; background: {hover}; }}

QFrame[look="card"] {{ background: {base}; border: 1px solid {border}; border-radius: {radius}px; }}
QFrame[look="panel"] {{ background: {base}; border: 1px solid transparent; }}
QFrame[look="below"] {{ background: {base}; border: none; border-top: 1px solid {border}; }}
QFrame[look="paper"] {{ background: {paper}; color: {ink}; border: 1px solid {border}; }}
QFrame[look="card"]:focus, QFrame[look="panel"]:focus, QFrame[look="paper"]:focus {{
    border-color: {accent};
}}
QFrame[look="bubble"] {{ background: {base}; border: 1px solid {accent}; border-radius: {radius}px; }}
QFrame[look="drop"] {{ background: {base}; border: 2px dashed {border}; border-radius: {radius}px; }}
QFrame[look="dropping"] {{
    background: {info_ground}; border: 2px dashed {accent}; border-radius: {radius}px;
}}
QFrame[look="notice"] {{ border: 1px solid {border}; border-radius: {radius}px; }}
QFrame[look="notice"][tone="info"] {{ background: {info_ground}; border-color: {info}; }}
QFrame[look="notice"][tone="warning"] {{ background: {warning_ground}; border-color: {warning}; }}
QFrame[look="notice"][tone="error"] {{ background: {error_ground}; border-color: {error}; }}

QFrame[look="rail"] {{ background: {sunken}; border: none; border-right: 1px solid {border}; }}
QPushButton[look="step"] {{
    background: transparent; border: 1px solid transparent; text-align: left;
    padding: {space}px; min-height: 0;
}}
QPushButton[look="step"]:hover {{ background: {hover}; }}
QPushButton[look="step"]:checked {{ background: {selection}; color: {selection_text}; font-weight: 600; }}
QPushButton[look="step"]:focus {{ border: {focus}px solid {accent}; padding: 7px; }}
QFrame[look="bar"] {{ background: {sunken}; border: none; border-top: 1px solid {border}; }}

QLineEdit, QPlainTextEdit {{
    background: {base}; color: {text}; border: 1px solid {border}; border-radius: {radius}px;
    padding: 0 {space}px; selection-background-color: {accent_fill}; selection-color: {accent_text};
}}
QLineEdit {{ min-height: {inner_height}px; }}
QLineEdit:focus, QPlainTextEdit:focus {{ border: {focus}px solid {accent}; padding: 0 7px; }}
QLineEdit:focus {{ min-height: {focused_height}px; }}

QComboBox, QSpinBox {{
    background: {base}; color: {text}; border: 1px solid {border}; border-radius: {radius}px;
    padding: 0 {space}px; min-height: {inner_height}px;
    selection-background-color: {accent_fill}; selection-color: {accent_text};
}}
QSpinBox {{ min-height: {spin_height}px; }}
QComboBox:hover, QSpinBox:hover {{ border-color: {muted}; }}
QComboBox:focus, QSpinBox:focus {{
    border: {focus}px solid {accent}; padding: 0 7px; min-height: {focused_height}px;
}}
QComboBox:disabled, QSpinBox:disabled, QLineEdit:disabled {{ background: {window}; color: {muted}; }}
QSpinBox:focus {{ min-height: {focused_spin_height}px; }}
QComboBox::drop-down {{ border: none; width: 24px; }}
QComboBox::down-arrow {{ image: url("{icons}/arrow-down.svg"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ padding: {space_small}px; }}
QSpinBox::up-button, QSpinBox::down-button {{ border: none; width: 24px; background: transparent; }}
QSpinBox::up-button {{ subcontrol-position: top right; }}
QSpinBox::down-button {{ subcontrol-position: bottom right; }}
QSpinBox::up-arrow {{ image: url("{icons}/arrow-up.svg"); width: 12px; height: 12px; }}
QSpinBox::down-arrow {{ image: url("{icons}/arrow-down.svg"); width: 12px; height: 12px; }}
QCheckBox {{ spacing: {space}px; min-height: {inner_height}px; }}
QCheckBox::indicator, QListWidget::indicator {{
    width: 18px; height: 18px; border: 1px solid {muted}; border-radius: {space_small}px; background: {base};
}}
QCheckBox::indicator:hover, QListWidget::indicator:hover {{ border-color: {accent}; }}
QCheckBox::indicator:checked, QListWidget::indicator:checked {{
    background: {accent_fill}; border-color: {accent_fill}; image: url("{icons}/tick.svg");
}}
QCheckBox:focus {{ color: {accent}; }}
QCheckBox::indicator:focus {{
    width: {focused_indicator}px; height: {focused_indicator}px; border: {focus}px solid {accent};
}}

QAbstractItemView {{
    background: {base}; color: {text}; border: 1px solid {border}; border-radius: {radius}px; outline: 0;
    selection-background-color: {selection}; selection-color: {selection_text}; gridline-color: {hover};
}}
QAbstractItemView:focus {{ border: 1px solid {accent}; }}
QListWidget::item {{ padding: 1px {space_small}px; }}
QAbstractItemView::item:selected {{ background: {selection}; color: {selection_text}; }}
QTableView QTableCornerButton::section {{ background: {base}; border: none; }}
QHeaderView {{ background: {base}; border: none; }}
QHeaderView::section {{
    background: {base}; color: {muted}; border: none; border-bottom: 1px solid {border};
    padding: {space_small}px;
}}
QHeaderView::section:vertical {{ border-bottom: none; padding: 0 {space}px; }}
QHeaderView::section:hover {{ color: {text}; }}

QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}

QTabWidget::pane {{ border: none; border-top: 1px solid {border}; }}
QTabBar::tab {{
    background: transparent; color: {muted}; padding: {space}px {space_large}px; border: none;
    border-bottom: 2px solid transparent;
}}
QTabBar::tab:hover {{ color: {text}; }}
QTabBar::tab:selected {{ color: {text}; border-bottom: 2px solid {accent}; font-weight: 600; }}
QTabBar::tab:focus {{ color: {accent}; }}

QMenuBar {{ background: {window}; }}
QMenuBar::item {{ padding: {space_small}px {space}px; border-radius: {radius}px; background: transparent; }}
QMenuBar::item:selected {{ background: {hover}; }}
QMenu {{ background: {base}; border: 1px solid {border}; padding: {space_small}px; }}
QMenu::item {{ padding: {space_small}px {space_large}px; border-radius: {radius}px; }}
QMenu::item:selected {{ background: {selection}; color: {selection_text}; }}
QMenu::item:disabled {{ color: {muted}; }}
QMenu::icon {{ padding-left: {space}px; }}
QMenu::separator {{ height: 1px; background: {border}; margin: {space_small}px {space}px; }}

QSlider {{ min-height: {inner_height}px; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {border}; }}
QSlider::sub-page:horizontal {{ background: {accent_fill}; border-radius: 2px; }}
QSlider::handle:horizontal {{
    width: 14px; height: 14px; margin: -6px 0; border-radius: 8px;
    background: {base}; border: 1px solid {muted};
}}
QSlider::handle:horizontal:hover {{ border-color: {accent}; }}
QSlider::handle:horizontal:focus {{ border: {focus}px solid {accent}; width: 12px; height: 12px; }}

QProgressBar {{
    background: {hover}; border: none; border-radius: 4px;
    min-height: 8px; max-height: 8px; text-align: center;
}}
QProgressBar::chunk {{ background: {accent_fill}; border-radius: 4px; }}

QScrollArea {{ background: transparent; border: none; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QSplitter::handle {{ background: transparent; }}
QSplitter::handle:hover {{ background: {hover}; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {border}; border-radius: 4px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def stylesheet(sizes: Collection[float]) -> str:
    """Write the one stylesheet of all looks; which rules hold, a property says (:func:`look_in_force`).

    So it stays the same in another theme: Qt would style all widgets under a changed one twice.
    """
    dark = _RULE.sub(lambda rule: _where("dark", rule[1]) + rule[2], _rules(DARK))
    return "".join([_rules(LIGHT), dark, *map(_sizes, sizes)])


def look_in_force(chosen: Colours, text_points: float) -> str:
    """Return the value of the property ``theme`` with which the rules of a theme and of a text size hold."""
    return f"{'dark' if chosen is DARK else 'light'} {_size_name(text_points)}"


def _rules(chosen: Colours) -> str:
    return _TEMPLATE.format(
        **dataclasses.asdict(chosen),
        paper="white",
        ink=LIGHT.text,
        icons=resource_path("icons").as_posix(),
        radius=RADIUS,
        space_small=SPACE_SMALL,
        space=SPACE,
        space_large=SPACE_LARGE,
        focus=FOCUS_WIDTH,
        # A thicker focus frame takes its width from the inside, so that nothing jumps.
        focused_padding=SPACE_LARGE - (FOCUS_WIDTH - 1),
        focused_indicator=18 - 2 * (FOCUS_WIDTH - 1),
        # A spin box adds three pixels of its own.
        spin_height=CONTROL_HEIGHT - 5,
        focused_spin_height=CONTROL_HEIGHT - 3 - 2 * FOCUS_WIDTH,
        inner_height=CONTROL_HEIGHT - 2,
        focused_height=CONTROL_HEIGHT - 2 * FOCUS_WIDTH,
    )


def _sizes(text_points: float) -> str:
    small, large = (round(text_points * share, 1) for share in (TEXT_SMALL, TEXT_HEADING))
    name = _size_name(text_points)
    return (
        f"{_where(name, 'QLabel[look=muted], QToolButton[look=ask]')} {{ font-size: {small}pt; }}\n"
        f"{_where(name, 'QLabel[look=heading]')} {{ font-size: {large}pt; }}\n"
    )


def _where(word: str, selectors: str) -> str:
    """Restrict selectors to widgets that, or that are in what, has a word in its property ``theme``."""
    one = f'[{THEME}~="{word}"]'
    single_selectors = [selector.strip() for selector in selectors.split(",")]
    within = [f"{one} {selector}" for selector in single_selectors]
    # What stands behind a colon is a state or a part of a widget.
    itself = [
        _BEFORE_COLON.sub(lambda before: before[0] + one, selector, count=1)
        for selector in single_selectors
        if selector.startswith(_KINDS_OF_PARTS)
    ]
    return ", ".join([*within, *itself])


def _size_name(text_points: float) -> str:
    return f"{round(10 * text_points)}"


def set_look(widget: QWidget, look: str, **properties: str) -> None:
    """Give a widget one of the looks of the stylesheet, and refresh it if it already has one."""
    widget.setProperty("look", look)
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)

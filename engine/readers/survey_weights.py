"""Columns that say how much of a population each row stands for: known by their names and their values."""

from __future__ import annotations

import numpy as np

from engine.table.number_names import plain_text, words_of
from engine.table.row_weights import SURVEY_WEIGHTS
from engine.table.variable import Kind, Variable
from engine.wording.notes import Note
from engine.wording.numbers import number_text

_FEWEST_ROWS, _FEWEST_VALUES = 20, 3
_HALF = 0.5
_ABOUT_ONE = 0.1
_SUMS = (1.0, 100.0)

# What they have in common with the weight of a body.
_WEIGHTS = frozenset(
    plain_text(
        """
weight weights wt wts wgt wgts wght gewicht gewichte gewichten poids peso pesos pesi waga wagi vaha vahy
vikt vikter vekt vekter vægt paino painot súly súlyok ağırlık вес веса вага ваги 重量
"""
    ).split()
)
# They name weights of rows alone.
_ROW_WEIGHTS = frozenset(
    plain_text(
        """
pweight pweights pwt pwgt pspwght pspwgt pspweight dweight dwght dwgt anweight aweight fnlwgt finalwgt
finalwt finalweight perwt hhwt asecwt wtsupp wtfinl wtss wtssall wtssps wtssnr wtssnrps wtmec wtint wtfinal
wtdrd rakewt rakedwt ipw iptw ipcw svyweight svyweights svywt svywgt sampweight sampwt samplewt samplewgt
sampleweight samplingweight surveyweight surveywt designweight designwt baseweight basewt popweight popwt
llcpwt wghtp wghtpew weighting fexp facexp ponderador hochrechnungsfaktor hochrechnung gewichtung
gewichtungsfaktor designgewicht personengewicht haushaltsgewicht querschnittsgewicht
längsschnittgewicht phrf hhrf pondération ponderación ponderazione ponderação weegfactor wegingsfactor weging
ważenie súlyozás ağırlıklandırma взвешивание 权重 加权 ウェイト 重み ウエイト 가중치
"""
    ).split()
)
# Beside a word for weights, they tell of a survey.
_OF_SURVEYS = frozenset(
    plain_text(
        """
survey sampling svy design poststrat poststratification stratification calibrated calibration trimmed raked
rake raking nonresponse inverse probability prob propensity befragung enquête encuesta indagine выборки
"""
    ).split()
)
# What is weighed in a laboratory may be called so, too.
_BESIDE = frozenset(
    plain_text(
        """
sample samp final person household hh population pop post strat normalised normalized scaled statistical
cross sectional longitudinal respondent analysis case row adult base factor w yr year years the of for in
stichprobe muestra muestral campione amostra steekproef próby de des del der die da do
"""
    ).split()
)


def note_on_survey_weights(variable: Variable, values: np.ndarray) -> Note | None:
    """Say that a column seems to weight the rows; None where its name or its values speak against it."""
    if variable.kind is not Kind.CONTINUOUS:
        return None
    words = frozenset(words_of(variable.name))
    if not words or not words <= _WEIGHTS | _ROW_WEIGHTS | _OF_SURVEYS | _BESIDE:
        return None
    weighs = bool(words & _WEIGHTS)
    is_certain = bool(words & _ROW_WEIGHTS) or (weighs and bool(words & _OF_SURVEYS))
    if not (is_certain or weighs) or not _look_like_weights(values, is_certain=is_certain):
        return None
    message = _SEEM_WEIGHTS.format(name=variable.name, mean=number_text(float(values.mean()), 3))
    return Note(SURVEY_WEIGHTS, message, variable.name)


def _look_like_weights(values: np.ndarray, *, is_certain: bool) -> bool:
    """Tell whether numbers may be weights; where the name may mean a body's, their scale decides."""
    if len(values) < _FEWEST_ROWS or not np.isfinite(values).all() or (values < 0).any():
        return False
    if len(np.unique(values)) < _FEWEST_VALUES:
        return False
    if is_certain:
        return bool(values.any())
    total = float(values.sum())
    is_scaled = abs(total / len(values) - 1) <= _ABOUT_ONE or any(np.isclose(total, _SUMS, rtol=1e-3))
    return is_scaled and bool((values > 0).all()) and float((values % 1 > 0).mean()) >= _HALF


_SEEM_WEIGHTS = (
    "Column '{name}' looks like survey weights: all its values are positive, and their mean is {mean}. "
    "If it says how much of the population each row stands for, make it the row weight."
)

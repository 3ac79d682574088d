"""Tests of numbers with linear relations: Fisher's z."""

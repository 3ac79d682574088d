"""Stands in the frozen program for Qt's bindings of OpenGL, which are large.

pyqtgraph imports them with its widgets, and asks for nothing in them unless charts are drawn by OpenGL.
"""

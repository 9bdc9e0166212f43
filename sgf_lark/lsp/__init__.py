"""A language server for SGF: diagnostics, fixes, explanations and boards in editors.

:mod:`sgf_lark.lsp.server` speaks the Language Server Protocol (extra "lsp"). All else in this
package takes and gives plain Python objects of :mod:`lsprotocol`, and knows no connection:

- :mod:`.positions` counts lines and columns as the client does;
- :mod:`.analysis` cuts a text at the game trees and validates those that changed;
- each of the other modules answers one kind of request.
"""

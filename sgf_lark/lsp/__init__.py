"""A language server for SGF: diagnostics, fixes, explanations and boards in editors.

:mod:`sgf_lark.lsp.server` speaks the Language Server Protocol (extra "lsp"). All else in this
package takes and gives plain Python objects of :mod:`lsprotocol`, and knows no connection. The
TextMate grammar and the lexer of Pygments need no server.
"""

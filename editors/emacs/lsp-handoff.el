;;; lsp-handoff.el --- Handoffs of AI agents, through lsp-mode  -*- lexical-binding: t; -*-

;; Author: The handoff-lsp developers
;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1") (lsp-mode "8.0"))
;; Keywords: languages, tools, text
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; For those who use lsp-mode instead of Eglot:
;;
;;     (require 'lsp-handoff)
;;     (add-hook 'markdown-mode-hook #'lsp-deferred)
;;
;; The client is an add-on: it runs beside another server of the same file.

;;; Code:

(require 'handoff-lsp)
(require 'lsp-mode)

(defun lsp-handoff--activate-p (file-name mode)
  "Whether the server is for FILE-NAME in major mode MODE."
  (let ((buffer-file-name file-name))
    (and (apply #'provided-mode-derived-p mode (mapcar #'car handoff-lsp-languages))
         (handoff-lsp--handoff-p))))

(add-to-list 'lsp-language-id-configuration '(handoff-lsp-log-mode . "log"))

(lsp-register-client
 (make-lsp-client
  :new-connection (lsp-stdio-connection (lambda () handoff-lsp-server-command))
  :activation-fn #'lsp-handoff--activate-p
  :add-on? t
  :server-id 'handoff-lsp))

(provide 'lsp-handoff)

;;; lsp-handoff.el ends here

;;; handoff-lsp.el --- Handoffs of AI agents, through Eglot  -*- lexical-binding: t; -*-

;; Author: The handoff-lsp developers
;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages, tools, text
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Starts the language server `handoff-lsp' in files that may be handoffs, and
;; nowhere else:
;;
;;     (require 'handoff-lsp)
;;     (handoff-lsp-mode)
;;
;; Eglot runs one server in a buffer.  Handoffs are therefore a project of
;; their own to it: another server that you use for Markdown or JSON in the
;; same folder keeps all other files.

;;; Code:

(require 'eglot)
(require 'jsonrpc)
(require 'project)
(require 'seq)

(defgroup handoff-lsp nil
  "Handoffs of AI agents."
  :group 'eglot
  :prefix "handoff-lsp-")

(defcustom handoff-lsp-server-command '("handoff-lsp" "server")
  "The program that is the language server, and its arguments."
  :type '(repeat string)
  :risky t)

(defcustom handoff-lsp-files
  '("\\(?:/handoffs/.*\\|/openspec/.*\\|-handoff\\|_RESULT\\)\\.\\(?:md\\|markdown\\)\\'"
    "/\\.agent/\\(?:status\\.json\\|activity\\.log\\)\\'")
  "What the names of files that may be handoffs match.
Any of these regular expressions is enough.  They only say where to ask the
server, which says nothing of a file that is no handoff after all.  With t it
is asked in every file of the modes in `handoff-lsp-languages'."
  :type '(choice (const :tag "Every file" t) (repeat regexp)))

(defconst handoff-lsp-languages
  '((markdown-mode . "markdown") (gfm-mode . "markdown") (markdown-ts-mode . "markdown")
    (js-json-mode . "json") (json-ts-mode . "json") (json-mode . "json")
    (handoff-lsp-log-mode . "log"))
  "The major modes in which a handoff may be, and what the server calls them.")

(defvar-local handoff-lsp--project nil
  "The project that this handoff belongs to, for Eglot.")

;;;###autoload
(define-derived-mode handoff-lsp-log-mode text-mode "Agent Log"
  "The activity log of an agent.
Eglot does nothing in `fundamental-mode', which such files are in otherwise.")

;;;###autoload
(add-to-list 'auto-mode-alist '("/\\.agent/activity\\.log\\'" . handoff-lsp-log-mode))

;;; Where the server is started

;;;###autoload
(define-minor-mode handoff-lsp-mode
  "Start the language server wherever a handoff is opened."
  :global t
  (pcase-dolist (`(,mode . ,_) handoff-lsp-languages)
    (funcall (if handoff-lsp-mode #'add-hook #'remove-hook)
             (intern (format "%s-hook" mode)) #'handoff-lsp-ensure))
  (funcall (if handoff-lsp-mode #'add-hook #'remove-hook) 'find-file-hook #'handoff-lsp--tell-of-modes))

;;;###autoload
(defun handoff-lsp-ensure ()
  "Start the language server in this buffer if its file may be a handoff."
  (when (and buffer-file-name (handoff-lsp--handoff-p))
    (handoff-lsp-start)))

;;;###autoload
(defun handoff-lsp-start ()
  "Start the language server in this buffer, whatever its file is called."
  (interactive)
  (when (and (eglot-managed-p) (not handoff-lsp--project))
    (user-error "Another server is at work here: `M-x eglot-shutdown' ends it"))
  (let ((program (car handoff-lsp-server-command)))
    (if (not (executable-find program t))
        (message "No %s here: `pipx install .' in a clone installs it, or see `handoff-lsp-server-command'" program)
      (let* ((eglot-lsp-context t)
             (found (project-current))
             (root (if found (project-root found) default-directory)))
        (setq handoff-lsp--project (cons 'handoff-lsp (expand-file-name root))))
      (dolist (function '(eglot-uri-to-path eglot--uri-to-path))  ; its name since Emacs 30, and before
        (when (fboundp function)
          (advice-add function :filter-return #'handoff-lsp--decode)))
      (add-hook 'project-find-functions #'handoff-lsp--find-project -50 t)
      (setq-local eglot-server-programs (list (handoff-lsp--program)))
      (eglot-ensure))))

(defun handoff-lsp--tell-of-modes ()
  "Report a missing major mode for handoffs."
  (when (and (eq major-mode 'fundamental-mode)
             (string-match-p "\\.\\(?:md\\|markdown\\)\\'" buffer-file-name)
             (handoff-lsp--handoff-p))
    (message "Markdown has no major mode here, so handoffs are not checked: `M-x package-install RET markdown-mode'")))

(defun handoff-lsp--handoff-p ()
  "Return non-nil if this file's name or a comment in it indicates a handoff."
  (or (eq handoff-lsp-files t)
      (seq-some (lambda (regexp) (string-match-p regexp buffer-file-name)) handoff-lsp-files)
      (save-excursion
        (save-restriction
          (widen)
          (goto-char (point-min))
          (and (re-search-forward "^<!-- *handoff: *\\([a-z-]+\\)" nil t)
               (not (equal (match-string 1) "none")))))))

(defun handoff-lsp--program ()
  "Return the entry of `eglot-server-programs' for all languages of handoffs."
  (cons (mapcar (lambda (entry) (list (car entry) :language-id (cdr entry))) handoff-lsp-languages)
        handoff-lsp-server-command))

(defun handoff-lsp--find-project (_directory)
  "Answer Eglot, and only Eglot, with the project that handoffs are to it."
  (and (bound-and-true-p eglot-lsp-context) handoff-lsp--project))

(cl-defmethod project-root ((project (head handoff-lsp)))
  "Return the root folder of PROJECT."
  (cdr project))

(defun handoff-lsp--decode (path)
  "Return PATH as text, where Eglot left bytes in it.
Eglot 1.17 does so with characters that are not ASCII, and then finds no buffer
for what the server says of that file."
  (if (seq-some (lambda (char) (eq (char-charset char) 'eight-bit)) path)
      (decode-coding-string path 'utf-8)
    path))

;;; Commands

(defun handoff-lsp-check-workspace ()
  "Check all documents of the project, open or not, and report the findings."
  (interactive)
  (handoff-lsp--execute "checkWorkspace" []))

(defun handoff-lsp-routing ()
  "Show what the orchestrator does with the handoff at point."
  (interactive)
  (handoff-lsp--execute "showRouting" (vector (handoff-lsp--here))))

(defun handoff-lsp-new (contract)
  "Insert a new handoff of CONTRACT here, or what a handoff here lacks of it.
With an empty CONTRACT the name of the file and the config tell which one.  In
a buffer that has no server the text is inserted at point, as it is."
  (interactive
   (list (completing-read
          "Contract (empty: by the file's name): "
          (mapcar (lambda (each) (plist-get each :name)) (handoff-lsp--ask "listContracts" [])))))
  (let ((asked (unless (string-empty-p contract) (list :contract contract))))
    (if (and handoff-lsp--project (eglot-managed-p))
        (handoff-lsp--execute "insertTemplate" (vector (append (handoff-lsp--here) asked)))
      (insert (plist-get (handoff-lsp--ask "insertTemplate" (if asked (vector asked) [])) :text)))))

(defun handoff-lsp-explain (topic)
  "Show what the server has to say about TOPIC.
That is a rule, a contract, or a field or a value of one."
  (interactive
   (list (completing-read
          "Explain: "
          (mapcar (lambda (each) (plist-get each :topic)) (handoff-lsp--ask "listTopics" []))
          nil t)))
  (handoff-lsp--show
   (plist-get (handoff-lsp--ask "explain" (vector (list :topic topic))) :markdown)))

(defun handoff-lsp-doctor ()
  "Show the server, and what this file is to it and why, for you to copy."
  (interactive)
  (handoff-lsp--show
   (plist-get (handoff-lsp--ask
               "doctor" (if buffer-file-name (vector (list :uri (plist-get (handoff-lsp--here) :uri))) []))
              :report)))

(defun handoff-lsp--connection ()
  "Return the server of this buffer, or of any other handoff."
  (or (and handoff-lsp--project (eglot-current-server))
      (seq-some (lambda (buffer)
                  (and (buffer-local-value 'handoff-lsp--project buffer)
                       (with-current-buffer buffer (eglot-current-server))))
                (buffer-list))
      (user-error "No handoff is open: `M-x handoff-lsp-start' makes this buffer one")))

(defun handoff-lsp--here ()
  "Return where point is, as the server's commands want it."
  (unless buffer-file-name (user-error "This buffer visits no file"))
  (pcase-let (((map :textDocument :position) (eglot--TextDocumentPositionParams)))
    (list :uri (plist-get textDocument :uri) :position position)))

(defun handoff-lsp--ask (command arguments)
  "Return the server's answer to COMMAND with ARGUMENTS."
  (jsonrpc-request (handoff-lsp--connection) :workspace/executeCommand
                   (list :command (concat "handoff." command) :arguments arguments)))

(defun handoff-lsp--execute (command arguments)
  "Have the server do COMMAND with ARGUMENTS, which may take its time.
It tells itself how that ended, and may ask for something first."
  (jsonrpc-async-request
   (handoff-lsp--connection) :workspace/executeCommand
   (list :command (concat "handoff." command) :arguments arguments)
   :deferred :workspace/executeCommand  ; not before it knows what was just typed
   :timeout nil
   :success-fn #'ignore
   :error-fn (lambda (answer) (message "handoff-lsp: %s" (plist-get answer :message)))))

(defun handoff-lsp--show (text)
  "Show TEXT in a window of its own."
  (with-current-buffer (get-buffer-create "*handoff-lsp*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (special-mode)
    (display-buffer (current-buffer))))

(provide 'handoff-lsp)

;;; handoff-lsp.el ends here

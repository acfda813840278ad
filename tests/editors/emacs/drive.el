;;; drive.el --- What a person does with handoffs in Emacs, in --batch  -*- lexical-binding: t; -*-

;; Reads HANDOFF_TEST (JSON: handoff, ordinary, status, fix), writes what was seen as JSON to the file `out' of it.

(require 'json)
(require 'handoff-lsp)

;; Stand-ins for the mode that people install: what is tested here is what happens in it.
(define-derived-mode markdown-mode text-mode "Markdown")
(define-derived-mode gfm-mode markdown-mode "GFM")
(add-to-list 'auto-mode-alist '("\\.md\\'" . markdown-mode))

(setq make-backup-files nil create-lockfiles nil auto-save-default nil vc-handled-backends '(Git)
      eglot-send-changes-idle-time 0.05 eglot-sync-connect 30 eglot-report-progress nil
      flymake-no-changes-timeout 0.1)

(defvar seen (make-hash-table :test 'equal))
(defvar asked (json-parse-string (getenv "HANDOFF_TEST") :object-type 'plist))

(defun see (key value)
  (puthash key value seen))

(defun wait-for (condition)
  "Run what is pending until CONDITION holds, and return what it answers."
  (let ((until (+ (float-time) 30)) answer)
    (while (and (not (setq answer (funcall condition))) (< (float-time) until))
      ;; Nobody types, which --batch does not notice.
      (run-hooks 'post-command-hook)
      (mapc #'timer-event-handler timer-idle-list)
      (accept-process-output nil 0.02))
    (or answer (error "Waited in vain for %S" condition))))

(defun visit (key)
  "Open the file that KEY names, as a command does that a person gives."
  (switch-to-buffer (find-file-noselect (plist-get asked key)))
  (run-hooks 'post-command-hook)
  (when (eglot-managed-p) (flymake-start)))  ; as when a window shows it

(defun problems ()
  "All diagnostics of this buffer: the rule, the line and the text that is marked."
  (vconcat (mapcar (lambda (each)
                     `((text . ,(flymake-diagnostic-text each))
                       (line . ,(line-number-at-pos (flymake-diagnostic-beg each)))
                       (column . ,(save-excursion (goto-char (flymake-diagnostic-beg each))
                                                  (- (point) (line-beginning-position))))
                       (marked . ,(buffer-substring-no-properties (flymake-diagnostic-beg each)
                                                                  (flymake-diagnostic-end each)))))
                   (flymake-diagnostics))))

(defun problem-p (words)
  (seq-some (lambda (each) (string-search words (flymake-diagnostic-text each))) (flymake-diagnostics)))

(defun message-p (words)
  (with-current-buffer (messages-buffer) (save-excursion (goto-char (point-min)) (search-forward words nil t))))

(defun go-to (text)
  (goto-char (point-min))
  (search-forward text))

(defun drive ()
  (handoff-lsp-mode)

  ;; A note starts nothing.
  (visit :ordinary)
  (see "note_alone" (and (eglot-current-server) t))

  (visit :handoff)
  (wait-for (lambda () (and (eglot-managed-p) (problem-p "verdict"))))
  (see "problems" (problems))
  (see "encoding" (let ((server (eglot--capabilities (eglot-current-server)))) (plist-get server :positionEncoding)))

  (go-to "verd")
  (let (hover)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq hover (or text ""))))
    (wait-for (lambda () hover))
    (see "hover" (substring-no-properties hover)))

  ;; What is typed is complained about no more.
  (go-to "verdict: ")
  (delete-region (point) (line-end-position))
  (let* ((found (eglot-completion-at-point))
         (offered (all-completions "" (nth 2 found))))
    (see "completion" (vconcat (mapcar #'substring-no-properties offered))))
  (insert "n/a")
  (wait-for (lambda () (not (problem-p "verdict"))))
  (see "after_typing" (problems))

  (goto-char (point-min))
  (let* ((fixes (eglot-code-actions (point) (line-end-position) "quickfix"))
         (fix (seq-find (lambda (each) (equal (plist-get each :title) (plist-get asked :fix))) fixes)))
    (see "fixes" (vconcat (mapcar (lambda (each) (plist-get each :title)) fixes)))
    (eglot-execute (eglot-current-server) fix))
  (see "fixed" (buffer-substring-no-properties (point-min) (point-max)))
  (wait-for (lambda () (not (problem-p "Missing status `Status`"))))

  ;; The same server for another language; a note beside it is still left alone.
  (let ((server (eglot-current-server)))
    (visit :status)
    (wait-for (lambda () (flymake-diagnostics)))
    (see "same_server" (eq server (eglot-current-server)))
    (see "json_problems" (problems)))
  (visit :ordinary)
  (revert-buffer nil t)
  (see "note_later" (and (eglot-managed-p) t))

  ;; Commands.
  (visit :handoff)
  (handoff-lsp-check-workspace)
  (see "checked" (and (wait-for (lambda () (message-p " files"))) t))
  (handoff-lsp-routing)
  (see "routing" (and (wait-for (lambda () (message-p "stop: "))) t))
  (visit :new)
  (wait-for #'eglot-managed-p)
  (handoff-lsp-new "status-block")
  (wait-for (lambda () (> (buffer-size) 0)))
  (see "new" (buffer-string))
  (visit :handoff)
  (handoff-lsp-doctor)
  (see "doctor" (with-current-buffer "*handoff-lsp*" (buffer-string)))
  (handoff-lsp-explain "missing-status")
  (see "explained" (with-current-buffer "*handoff-lsp*" (buffer-string)))

  ;; Where no server is at work: a new handoff is inserted all the same, and what cannot be is reported.
  (with-temp-buffer
    (handoff-lsp-new "status-block")
    (see "new_anywhere" (buffer-string))
    (handoff-lsp-doctor)
    (see "doctor_anywhere" (with-current-buffer "*handoff-lsp*" (buffer-string)))
    (see "routing_anywhere" (condition-case told (handoff-lsp-routing) (error (error-message-string told)))))

  ;; Where Markdown has no mode.
  (with-temp-buffer
    (setq buffer-file-name (plist-get asked :new))
    (fundamental-mode)
    (run-hooks 'find-file-hook)
    (set-buffer-modified-p nil)
    (setq buffer-file-name nil))
  (see "no_mode" (and (message-p "markdown-mode") t)))

(condition-case problem
    (drive)
  (error (see "error" (error-message-string problem))
         (see "messages" (with-current-buffer (messages-buffer) (buffer-string)))))
(let ((coding-system-for-write 'utf-8-unix))
  (with-temp-file (plist-get asked :out) (insert (json-encode seen))))
(dolist (buffer (buffer-list)) (with-current-buffer buffer (set-buffer-modified-p nil)))
(kill-emacs 0)

class HandoffLsp < Formula
  include Language::Python::Virtualenv

  desc "Language server and linter for handoffs of AI agents"
  homepage "https://handoff-lsp.github.io/handoff-lsp"
  url "https://github.com/handoff-lsp/handoff-lsp/releases/download/v0.1.0/handoff_lsp-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "python@3.13"

  # Wheels, by version and hash: cel-expr-python has no source distribution that could be built here.
  def install
    virtualenv_create(libexec, "python3.13", without_pip: false)
    pip = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    system libexec/"bin/python", *pip, "--require-hashes", "--requirement", "requirements/run.txt"
    system libexec/"bin/python", *pip, "--no-deps", "."
    bin.install_symlink libexec/"bin/handoff-lsp"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/handoff-lsp --version")
    (testpath/"result.md").write "AGENT_RESULT: developer\nSTATUS: Success\nNEXT: tester\n"
    assert_match "invalid-value", shell_output("#{bin}/handoff-lsp check result.md", 1)
  end
end

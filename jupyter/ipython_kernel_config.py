# Installed as etc/ipython/ipython_kernel_config.py of the environment: every kernel, also one that has run nothing yet,
# says calmly which cells a chapter's cell needs (accelerator_lib/above.py).
c = get_config()  # noqa: F821
c.InteractiveShellApp.extensions.append("accelerator_lib.above")

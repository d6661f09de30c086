"""From a command to the first notebook: is all there, copies, JupyterLab, addresses, calm lines below cells."""

@rem Windows knows no exec. The scripts of package.json use it, so that npm passes signals to the server itself.
@%*

// Everything that would leave this server is off: fonts, telemetry, proxy, assistant, links to the viewer's
// own services. The Content-Security-Policy would stop them too.
Scalar.createApiReference('#reference', {
  url: document.getElementById('reference').dataset.document,
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  hideDarkModeToggle: true,
  persistAuth: false,
  showOperationId: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});

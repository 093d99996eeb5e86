/** Returns whether passkeys work here: they need https or localhost, and a host name that is no IP address. */
export const arePasskeysSupported = () =>
  typeof PublicKeyCredential === 'function' && !/^(\d+(\.\d+){3}|\[.*\])$/.test(location.hostname);

/** Returns whether passkeys work here. They need https or localhost, and a host name instead of an IP address. */
export const arePasskeysSupported = () =>
  typeof PublicKeyCredential === 'function' && !/^(\d+(\.\d+){3}|\[.*\])$/.test(location.hostname);

/** Returns whether passkeys work at this address. They need https or localhost, and no IP address as host. */
export const arePasskeysSupported = () =>
  typeof PublicKeyCredential === 'function' && !/^(\d+(\.\d+){3}|\[.*\])$/.test(location.hostname);

/** Whether this browser has passkeys here: they need https or this machine itself, and a host that has a name. */
export const passkeysWork = () =>
  typeof PublicKeyCredential === 'function' && !/^(\d+(\.\d+){3}|\[.*\])$/.test(location.hostname);

const key = 'classledger.admin-signed-in';

/**
 * Whether an administrator has signed in at this browser. The session's cookie cannot be seen from here, and
 * asking the server in vain would be an error on the console of everyone who only wants to sign in.
 */
export const adminHint = {
  present: () => localStorage.getItem(key) !== null,
  keep: () => localStorage.setItem(key, '1'),
  forget: () => localStorage.removeItem(key),
};

import { setNonce } from 'get-nonce';

/**
 * The nonce that lets our style elements pass the page's Content-Security-Policy. Pass it to libraries that create such
 * elements.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Used by the library that locks scrolling below dialogs.
setNonce(styleNonce);

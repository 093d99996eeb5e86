import { setNonce } from 'get-nonce';

/**
 * The nonce that lets a style element of ours pass the page's Content-Security-Policy. Libraries that make such
 * elements must be given it.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Read by what locks scrolling below dialogs.
setNonce(styleNonce);

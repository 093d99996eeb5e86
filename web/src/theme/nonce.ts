import { setNonce } from 'get-nonce';

/** The nonce that libraries need for their style elements, which the Content-Security-Policy would block. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

setNonce(styleNonce);

import { setNonce } from 'get-nonce';

/** Lets style elements pass the page's Content-Security-Policy; libraries that create such elements need it. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

setNonce(styleNonce);

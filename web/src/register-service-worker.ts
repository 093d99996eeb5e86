/** Registers the service worker that caches the app's files, so that the app opens offline. */
export function registerServiceWorker(app: 'student' | 'admin'): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  void navigator.serviceWorker.register(`/${app}-worker.js`, { scope: `/${app}` }).catch(() => {
    // Ignored: the app also works without a service worker, which needs https.
  });
}

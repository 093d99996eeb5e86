/** Has the browser keep the app's own files, so that it opens without a network. */
export function keepForOffline(app: 'student' | 'admin'): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  void navigator.serviceWorker.register(`/${app}-worker.js`, { scope: `/${app}` }).catch(() => {
    // It is a comfort; on plain http there is none.
  });
}

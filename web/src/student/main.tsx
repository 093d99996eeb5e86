import { startApp } from '../AppRoot.tsx';
import './install.ts';
import { StudentEntry } from './StudentEntry.tsx';

startApp(<StudentEntry />);

if ('serviceWorker' in navigator && import.meta.env.PROD) {
  void navigator.serviceWorker.register('/student-worker.js', { scope: '/student' }).catch(() => {
    // Installable is a comfort; on plain http there is no worker.
  });
}

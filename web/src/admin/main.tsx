import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { startApp } from '../AppRoot.tsx';
import { outdatingWrites } from '../api/outdated.ts';
import { createQueryClient } from '../api/query-client.ts';
import { adminHint } from '../session/admin-hint.ts';
import { AdminApp } from './AdminApp.tsx';

// Back from the provider of a school: the cookie is there, and nobody has seen it come.
if (location.hash === '#signed-in') {
  adminHint.keep();
  history.replaceState(history.state, '', location.pathname + location.search);
}

startApp(
  <>
    <Notifications position="bottom-center" />
    <AdminApp />
  </>,
  createQueryClient(outdatingWrites()),
);

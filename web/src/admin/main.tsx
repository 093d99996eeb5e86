import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { startApp } from '../AppRoot.tsx';
import { outdatingWrites } from '../api/outdated.ts';
import { createQueryClient } from '../api/query-client.ts';
import { AdminApp } from './AdminApp.tsx';

startApp(
  <>
    <Notifications position="bottom-center" />
    <AdminApp />
  </>,
  createQueryClient(outdatingWrites()),
);

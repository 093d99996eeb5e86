import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { startApp } from '../AppRoot.tsx';
import { AdminApp } from './AdminApp.tsx';

startApp(
  <>
    <Notifications position="bottom-center" />
    <AdminApp />
  </>,
);

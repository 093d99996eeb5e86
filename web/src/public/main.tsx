import { startApp } from '../AppRoot.tsx';
import { LostPage } from './LostPage.tsx';
import { PublicPage } from './PublicPage.tsx';

// The server shows this page for any address that leads nowhere, too.
startApp(location.pathname === '/' ? <PublicPage /> : <LostPage />);

import { startApp } from '../AppRoot.tsx';
import { LostPage } from './LostPage.tsx';
import { PublicPage } from './PublicPage.tsx';

// The server also sends this page for unknown addresses.
startApp(location.pathname === '/' ? <PublicPage /> : <LostPage />);

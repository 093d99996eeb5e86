import { startApp } from '../AppRoot.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { PublicPage } from './PublicPage.tsx';

// The server also sends this page for unknown addresses.
startApp(location.pathname === '/' ? <PublicPage /> : <NotFoundPage />);

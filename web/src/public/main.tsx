import { startApp } from '../AppRoot.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { PublicPage } from './PublicPage.tsx';

// The server also sends this page for addresses that do not exist.
startApp(location.pathname === '/' ? <PublicPage /> : <NotFoundPage />);

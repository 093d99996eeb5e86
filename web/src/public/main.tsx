import { startApp } from '../AppRoot.tsx';
import { PublicPage } from './PublicPage.tsx';

startApp(<PublicPage />);

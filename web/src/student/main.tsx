import { startApp } from '../AppRoot.tsx';
import { keepForOffline } from '../keep-for-offline.ts';
import './install.ts';
import { StudentEntry } from './StudentEntry.tsx';

startApp(<StudentEntry />);

keepForOffline('student');

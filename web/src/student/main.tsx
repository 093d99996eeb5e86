import { startApp } from '../AppRoot.tsx';
import { studentToken } from '../api/session-state.ts';
import { keepForOffline } from '../keep-for-offline.ts';
import './install.ts';
import { StudentEntry } from './StudentEntry.tsx';

studentToken.watch();
startApp(<StudentEntry />);

keepForOffline('student');

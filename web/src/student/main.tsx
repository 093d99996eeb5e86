import { startApp } from '../AppRoot.tsx';
import { studentToken } from '../api/session-state.ts';
import { registerServiceWorker } from '../register-service-worker.ts';
import './install.ts';
import { StudentEntry } from './StudentEntry.tsx';

studentToken.watch();
startApp(<StudentEntry />);

registerServiceWorker('student');

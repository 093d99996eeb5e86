import './install.ts';
import { lazy } from 'react';
import { startApp } from '../AppRoot.tsx';
import { studentToken } from '../api/session-state.ts';
import { LazyBoundary } from '../components/ErrorBoundary.tsx';
import { registerServiceWorker } from '../register-service-worker.ts';
import { useStore } from '../store.ts';
import { codeInUrl } from './code/code-in-url.ts';
import { StudentApp } from './StudentApp.tsx';

const CodeSignIn = lazy(() => import('./code/CodeSignIn.tsx'));

function StudentEntry() {
  const code = useStore(codeInUrl);
  if (code === null) return <StudentApp />;
  return (
    <LazyBoundary fallback={null}>
      <CodeSignIn key={code} code={code} onDone={() => codeInUrl.set(null)} />
    </LazyBoundary>
  );
}

studentToken.watch();
startApp(<StudentEntry />);

registerServiceWorker('student');

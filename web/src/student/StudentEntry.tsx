import { lazy, useSyncExternalStore } from 'react';
import { LazyBoundary } from '../components/LazyBoundary.tsx';
import { codeInUrl } from './code/code-in-url.ts';
import { StudentApp } from './StudentApp.tsx';

const CodeSignIn = lazy(async () => ({ default: (await import('./code/CodeSignIn.tsx')).CodeSignIn }));

export function StudentEntry() {
  const code = useSyncExternalStore(codeInUrl.subscribe, codeInUrl.get);
  if (code === null) return <StudentApp />;
  return (
    <LazyBoundary fallback={null}>
      <CodeSignIn key={code} code={code} onDone={codeInUrl.forget} />
    </LazyBoundary>
  );
}

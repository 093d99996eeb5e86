import { lazy, useSyncExternalStore } from 'react';
import { LazyPart } from '../components/LazyPart.tsx';
import { codeInAddress } from './code/code-in-address.ts';
import { StudentApp } from './StudentApp.tsx';

const ByCode = lazy(async () => ({ default: (await import('./code/ByCode.tsx')).ByCode }));

/** Shows the students' app; first signs in with a code, if the address has one. */
export function StudentEntry() {
  const code = useSyncExternalStore(codeInAddress.subscribe, codeInAddress.get);
  if (code === null) return <StudentApp />;
  return (
    <LazyPart fallback={null}>
      <ByCode key={code} code={code} onDone={codeInAddress.forget} />
    </LazyPart>
  );
}

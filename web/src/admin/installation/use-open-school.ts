import { useNavigate } from '@tanstack/react-router';
import { useSchools } from '../school.tsx';

/** Makes a school the one that all pages are about, and shows its dashboard. */
export function useOpenSchool(): (schoolDb: string) => void {
  const { choose } = useSchools();
  const navigate = useNavigate();
  return (schoolDb) => {
    choose(schoolDb);
    void navigate({ to: '/', search: { school: schoolDb } });
  };
}

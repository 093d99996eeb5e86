import { useMayDo } from '../me.ts';
import { useSchools } from '../school.tsx';
import { useToolCheck } from '../use-is-tool-enabled.ts';
import { type NavigationItem, navigation } from './navigation.ts';

/** Returns the entries that the role and the school allow; without a school, only those marked `first`. */
export function useNavigationItems(): readonly NavigationItem[] {
  const mayDo = useMayDo();
  const hasTool = useToolCheck();
  const { school } = useSchools();
  return navigation.filter(
    ({ duty, tool, schoolless }) =>
      mayDo(duty) && (!tool || hasTool(tool)) && (school !== null || schoolless === 'first'),
  );
}

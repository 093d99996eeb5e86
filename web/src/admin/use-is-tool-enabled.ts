import type { ClassroomTool } from '@classledger/contract';
import { useSchools } from './school.tsx';

export function useToolCheck(): (tool: ClassroomTool) => boolean {
  const { school } = useSchools();
  return (tool) => school !== null && !school.switchedOffTools.includes(tool);
}

export function useIsToolEnabled(tool: ClassroomTool): boolean {
  return useToolCheck()(tool);
}

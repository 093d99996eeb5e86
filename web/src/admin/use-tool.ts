import type { ClassroomTool } from '@classledger/contract';
import { useSchools } from './school.tsx';

/**
 * Returns a check whether the school has a classroom tool. Pages do not offer a tool that the school has switched off.
 */
export function useTools(): (tool: ClassroomTool) => boolean {
  const { school } = useSchools();
  return (tool) => school !== null && !school.switchedOffTools.includes(tool);
}

export function useTool(tool: ClassroomTool): boolean {
  return useTools()(tool);
}

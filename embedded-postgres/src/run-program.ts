import { execFile } from 'node:child_process';

export interface LaunchPlan {
  readonly program: string;
  readonly args: readonly string[];
  /** User and group to switch to; undefined if no switch is needed or the program switches itself. */
  readonly identity: { readonly uid: number; readonly gid: number } | undefined;
}

/** `code` is undefined when the program could not run or was killed. */
export interface ProgramResult {
  readonly code: number | undefined;
  readonly output: string;
}

/** Runs a short program and collects its output. Never rejects: if it cannot run, `output` says why. */
export function runProgram(plan: LaunchPlan, timeoutMs: number): Promise<ProgramResult> {
  return new Promise((resolve) => {
    execFile(
      plan.program,
      [...plan.args],
      { ...plan.identity, env: serverEnvironment(), cwd: '/', timeout: timeoutMs, windowsHide: true },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`.trim();
        if (error === null) resolve({ code: 0, output });
        else if (typeof error.code === 'number') resolve({ code: error.code, output });
        else resolve({ code: undefined, output: `${output}\n${error.message}`.trim() });
      },
    );
  });
}

/** Returns the variables that PostgreSQL's programs need. Others may be secrets or, like PG*, change the server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const needed = ['PATH', 'SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'COMSPEC'];
  const kept = needed.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C', LANG: 'C' };
}

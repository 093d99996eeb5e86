import { execFile } from 'node:child_process';

/** How to start a program so that it runs under the account of the database server. */
export interface LaunchPlan {
  readonly program: string;
  readonly args: readonly string[];
  /** User and group to switch to, when the program itself does not do that. */
  readonly identity: { readonly uid: number; readonly gid: number } | undefined;
}

/** How a short program ended. `code` is undefined when it could not be run or was killed. */
export interface ProgramResult {
  readonly code: number | undefined;
  readonly output: string;
}

/**
 * Runs a short program to its end and collects what it prints (both streams). Never rejects: not being
 * able to run it is a result like any other, described in `output`.
 */
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

/**
 * The environment for PostgreSQL's programs: only what a program needs to run. The product's own variables
 * may hold secrets, and PG* or locale variables would change how the server behaves.
 */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const needed = ['PATH', 'SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'COMSPEC'];
  const kept = needed.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LC_ALL: 'C', LANG: 'C' };
}

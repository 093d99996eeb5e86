import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { joinName, splitName } from './names.ts';
import { readRoster, type UnreadableRoster } from './read-roster.ts';
import { type RosterContent, rosterArchive, rosterCsvFiles } from './write-roster.ts';

const inGrade7 = { classId: 12, gradeName: 'Grade 7', disabled: false, externalId: null };
const content: RosterContent = {
  school: { id: 7, name: 'Riverside, "the old one"', schoolDb: 'school_7' },
  grades: [{ id: 3, name: 'Grade 7' }],
  classes: [{ id: 12, name: 'Class A', gradeId: 3, gradeName: 'Grade 7' }],
  students: [
    { ...inGrade7, id: 55, username: 'li.wei', actualName: '李伟', externalId: 'S-1' },
    { ...inGrade7, id: 56, username: '=1+1', actualName: 'Ann Lee', disabled: true },
  ],
  today: '2026-09-15',
};

const zipOf = (files: Readonly<Record<string, string | Uint8Array>>) =>
  new Blob([
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [name, typeof text === 'string' ? strToU8(text) : text]),
      ),
    ).slice().buffer,
  ]);

const whole = Object.fromEntries([...rosterCsvFiles(content)].map(([name, text]) => [`${name}.csv`, text]));

const faultOf = (file: Blob) =>
  readRoster(file).then(
    () => null,
    ({ fault, about }: UnreadableRoster) => `${fault} ${about}`,
  );

describe('Name in a roster', () => {
  it('is split so that joining gives the same name', () => {
    const parts = {
      'Ann Lee': { givenName: 'Ann', familyName: 'Lee' },
      Madonna: { givenName: 'Madonna', familyName: '-' },
      王小明: { givenName: '小明', familyName: '王' },
      '欧阳 娜娜': { givenName: '欧阳 娜娜', familyName: '-' },
      'Juan de la Cruz': { givenName: 'Juan de la', familyName: 'Cruz' },
    };
    for (const [name, split] of Object.entries(parts)) expect(splitName(name)).toEqual(split);
    const names = [...Object.keys(parts), '李', '阿卜杜勒·热合曼', 'Ann ', ' Lee'];
    expect(names.map((name) => joinName(splitName(name)))).toEqual(names);
    expect(joinName({ givenName: 'Ann', middleName: 'M.', familyName: 'Lee' })).toBe('Ann M. Lee');
  });
});

describe('Roster file', () => {
  it('has the columns, manifest and text of OneRoster 1.2', () => {
    const texts = rosterCsvFiles(content);
    const lines = (name: string) => (texts.get(name) ?? '').split('\r\n');
    expect(lines('manifest').slice(0, 4)).toEqual([
      'propertyName,value',
      'manifest.version,1.0',
      'oneroster.version,1.2',
      'file.academicSessions,bulk',
    ]);
    // One line per file of the standard; the manifest also has two versions and two source lines.
    expect(lines('manifest').filter((line) => line.startsWith('file.'))).toHaveLength(21);
    expect(lines('orgs')[1]).toBe('classledger-school-7,,,"Riverside, ""the old one""",school,school_7,');
    expect(lines('classes')[1]).toBe(
      'classledger-class-12,,,Class A,07,classledger-course-3,,homeroom,,classledger-school-7,classledger-year-7-2027,,,',
    );
    expect(lines('users')[1]).toBe(
      'classledger-student-55,,,true,li.wei,,伟,李,,S-1,,,,,07,,,,,,classledger-school-7,',
    );
    expect(lines('users')[2]).toBe(
      'classledger-student-56,,,false,=1+1,,Ann,Lee,,,,,,,07,,,,,,classledger-school-7,',
    );
    expect(lines('roles')[1]).toBe(
      'classledger-role-55,,,classledger-student-55,primary,student,,,classledger-school-7,',
    );
    expect(lines('enrollments')[1]).toBe(
      'classledger-enrollment-55-12,,,classledger-class-12,classledger-school-7,classledger-student-55,student,,,',
    );
    // The standard forbids a file without records.
    const empty = rosterCsvFiles({ ...content, students: [] });
    expect([...empty.keys()]).toEqual(['manifest', 'academicSessions', 'orgs', 'courses', 'classes']);
    expect(empty.get('manifest')).toContain('file.users,absent');
  });

  it('is read despite folders, byte order marks and other files', async () => {
    const files = Object.entries(whole).map(([name, text]) => [`export/${name}`, `\uFEFF${text}`] as const);
    const others = { '__MACOSX/export/._users.csv': 'x', '../../demographics.csv': 'x', 'readme.txt': 'x' };
    const roster = await readRoster(zipOf({ ...Object.fromEntries(files), ...others }));
    expect(roster.version).toBe('1.2');
    expect(roster.users.map(({ username }) => username)).toEqual(['li.wei', '=1+1']);
  });

  const { 'users.csv': users = '', 'manifest.csv': manifest = '', ...others } = whole;

  it.each([
    ['noRoster manifest.csv', { 'x.csv': '' }],
    ['fileMissing users.csv', { ...others, 'manifest.csv': manifest }],
    ['version 9', { ...whole, 'manifest.csv': manifest.replace(',1.2', ',9') }],
    ['columnMissing users.csv: givenName', { ...whole, 'users.csv': users.replace('givenName', 'name') }],
    ['fileTwice users.csv', { ...whole, 'old/users.csv': users }],
    ['text users.csv', { ...whole, 'users.csv': new Uint8Array([0xe4, 0xbd, 0xff, 0xfe, 0x00]) }],
  ])('is rejected with its reason: %s', async (fault, invalid) => {
    expect(await faultOf(zipOf(invalid))).toBe(fault);
  });

  it('is rejected when it is no archive, or too large unpacked', async () => {
    expect(await faultOf(new Blob(['no zip']))).toBe('noZip ');
    // An archive states the size of each file; this one lies.
    const bytes = rosterArchive(content);
    const view = new DataView(bytes.buffer);
    // The limit applies to one file and to all files together.
    for (const claimed of [4_000_000_000, 60_000_000]) {
      for (let at = 0; at < bytes.length - 4; at++) {
        if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, claimed, true);
      }
      expect(await faultOf(new Blob([bytes.slice().buffer]))).toContain('tooLarge');
    }
  });
});

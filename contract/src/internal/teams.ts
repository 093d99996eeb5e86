import Type, { type Static } from 'typebox';
import {
  ClassFilter,
  ClassId,
  Colour,
  CreatedAt,
  Description,
  Id,
  Input,
  is,
  Name,
  OneOf,
  Optional,
  Score,
  ScoreChange,
  ShownName,
  Text,
  Titled,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { dutyInSchool } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Author, revocation } from './records.ts';

/** Administrators who can give points in a class can also change its teams. */
export const teamRankings = ['average', 'sum'] as const;

const Ranking = is(OneOf(teamRankings), 'Whether the average or the sum of the members counts for the team.');
const Version = is(
  Type.String({ minLength: 1, maxLength: 64 }),
  'The version of the teams, which changes with every change of them.',
);

export const Team = Titled('Team', {
  id: Id,
  name: ShownName,
  colour: Colour,
  userIds: is(Type.Array(Id), 'Ids of the members, without disabled students.'),
  memberPoints: is(
    Score,
    'Points of the members in the current term since each of them joined. Earlier points count only for the student.',
  ),
  ownPoints: is(Score, 'Points given to the team itself in the current term.'),
  points: Type.Number({
    description: 'The points for the ranking, which are the points of members by `ranking` plus own points.',
  }),
  rank: is(
    Type.Integer({ minimum: 1 }),
    'Rank of the team, starting at 1. Equal totals share a rank, such as 1, 2, 2, 4.',
  ),
});
export type Team = Static<typeof Team>;

export const ClassTeams = Titled('ClassTeams', {
  classId: ClassId,
  version: Version,
  ranking: Ranking,
  teams: is(Type.Array(Team), 'The teams in their order.'),
});
export type ClassTeams = Static<typeof ClassTeams>;

export const TeamRecord = Titled('TeamRecord', {
  id: Id,
  teamId: is(Id, 'Id of the team.'),
  teamName: is(Text, 'Name of the team.'),
  scoreChange: is(Score, 'Points; negative for a deduction.'),
  description: is(Text, 'The reason, in words.'),
  createdAt: CreatedAt,
  author: Author,
  ...revocation,
});
export type TeamRecord = Static<typeof TeamRecord>;

export const teamOperations = dutyInSchool('Teams', 'teachClasses', {
  getTeams: {
    route: 'GET /teams',
    summary: 'Read the teams of a class with their points and ranks',
    shows: ['team', 'student', 'score'],
    query: Type.Object({ classId: ClassFilter }),
    data: ClassTeams,
  },

  replaceTeams: {
    route: 'POST /teams',
    summary: 'Replace the teams of a class and their members',
    description:
      'A team with an `id` keeps its own points. Omitted teams are removed with their points. Members who stay keep their points for the team, and new members begin at 0. With `anew`, all members begin at 0.',
    idempotent: 'open',
    target: { class: 'body.classId' },
    affects: ['team'],
    activity: { verb: 'changed', subject: 'class' },
    errors: { 409: 'The `version` is out of date, because another call changed the teams.' },
    body: Input({
      classId: ClassId,
      version: is(Version, 'The version on which the change is based.'),
      ranking: Type.Optional(Ranking),
      anew: Optional(
        Type.Boolean(),
        'Whether members who stay in their team also begin at 0. The default is false.',
      ),
      teams: Type.Array(
        Input({
          id: Optional(Id, 'Id of an existing team. Omit it for a new team.'),
          name: is(Name, 'Name of the team, unique in the class.'),
          colour: Colour,
          userIds: Type.Array(Id, {
            maxItems: limits.teamMembersMax,
            description: 'Ids of the members. A student can be in only one team.',
          }),
        }),
        { maxItems: limits.teamsMax, description: 'The teams in their order.' },
      ),
    }),
    data: ClassTeams,
  },

  giveTeamPoints: {
    route: 'POST /teams/records',
    summary: 'Give points to teams, either to all or to none',
    description: 'The points count for the team, independent of its members. They do not count for students.',
    idempotent: 'open',
    target: { class: 'body.classId' },
    affects: ['team'],
    activity: null,
    body: Input({
      classId: ClassId,
      teamIds: Type.Array(Id, { minItems: 1, maxItems: limits.teamsMax, description: 'Ids of the teams.' }),
      scoreChange: ScoreChange,
      description: Type.Optional(Description),
    }),
    data: Type.Object({
      records: is(Type.Array(TeamRecord), 'One record for each team, in the order of the request.'),
    }),
  },

  listTeamRecords: {
    route: 'GET /teams/records',
    summary: 'List the records of the teams of a class, newest first',
    description: `Includes revoked records and records of past terms. The default \`limit\` is ${limits.scoreLogsDefault}.`,
    shows: ['team', 'term', 'administrator'],
    query: Type.Object({ ...internalPaging, classId: ClassFilter }),
    data: Type.Array(TeamRecord),
  },

  revokeTeamRecords: {
    route: 'POST /teams/records/revoke',
    summary: 'Revoke records of teams, either all or none',
    description: 'Records that are already revoked are ignored, so you can safely repeat the call.',
    target: { class: 'body.classId' },
    affects: ['team'],
    activity: null,
    errors: { 409: 'A record belongs to a closed term.' },
    body: Input({
      classId: ClassId,
      ids: is(Type.Array(Id, { minItems: 1, maxItems: limits.teamsMax }), 'Ids of the records.'),
    }),
    data: Type.Object({
      revoked: Type.Integer({ minimum: 0, description: 'Number of records that this call revoked.' }),
    }),
  },
});

import type { ProjectDetails, ProjectFile, SearchHit } from '@tanya/contract';
import type { Answer } from '../harness/http-client.js';
import type { TestUser } from './page/test-user.js';
import type { Scenario } from './scenario.js';

const PART = 'The committee met again and approved the minutes of the meeting before. ';

/** Some chunks with a word of their own in the last one. */
export const textOf = (word: string): string => `${PART.repeat(80)}The fee is named ${word}.`;

/** The files and chats of one project, as its owner sees them. */
export class SharedFiles {
  private constructor(
    readonly scenario: Scenario,
    readonly owner: TestUser,
    readonly id: number,
  ) {}

  static async create(scenario: Scenario): Promise<SharedFiles> {
    const owner = await scenario.harness.newMember();
    await owner.signIn();
    const { body } = await scenario.call(owner.browser, 'POST', '/api/projects', { name: 'Harbour' });
    return new SharedFiles(scenario, owner, (body as ProjectDetails).id);
  }

  get path(): string {
    return `/api/projects/${this.id}`;
  }

  /** @param content a text, or a PDF */
  upload(content: string | Buffer, name: string, browser = this.owner.browser): Promise<Answer<ProjectFile>> {
    const form = new FormData();
    const isText = typeof content === 'string';
    const type = isText ? 'text/plain' : 'application/pdf';
    form.set('file', new Blob([isText ? content : new Uint8Array(content)], { type }), name);
    return browser.send<ProjectFile>('POST', `${this.path}/files`, { raw: form });
  }

  /** Uploads a file until the server has it, as a person would: a lost answer may hide a stored file. */
  async add(content: string | Buffer, name: string): Promise<void> {
    const isStored = async (): Promise<boolean> => {
      const answer = await this.upload(content, name).catch(() => null);
      return answer?.status === 201 || answer?.status === 409;
    };
    await this.scenario.until(isStored, `the upload of ${name}`);
  }

  async list(): Promise<ProjectFile[]> {
    const answer = await this.owner.browser.get<ProjectFile[]>(`${this.path}/files`).catch(() => null);
    return answer?.status === 200 ? answer.body : [];
  }

  /** Waits until this number of files is ready, and expects each chunk once. */
  async expectReady(count: number): Promise<void> {
    const isReady = async () => {
      const files = await this.list();
      return files.length === count && files.every(({ state }) => state === 'ready');
    };
    await this.scenario.until(isReady, `${count} files that are ready`, 60_000);
    const [row] = await this.scenario.harness.database.query<{ wrong: number; orphans: number }>(
      `select (select count(*)::int from project_file f where f.project_id = $1::int and f.chunks <>
          (select count(distinct c.index) from project_chunk c where c.file_id = f.file_id)) as wrong,
        (select count(*)::int from project_chunk c where c.project_id = $1::int and not exists
          (select from project_file f where f.file_id = c.file_id)) as orphans`,
      [this.id],
    );
    this.scenario.expect(row!.wrong === 0, `${row!.wrong} files have other chunks than they say`);
    this.scenario.expect(row!.orphans === 0, `${row!.orphans} chunks are left without their file`);
  }

  /** Waits until each file is found by its meaning, and expects one vector for each chunk. */
  async expectSemantic(): Promise<void> {
    const isSemantic = async () => (await this.list()).every((file) => file.isSemantic);
    await this.scenario.until(isSemantic, 'the vectors of the files', 60_000);
    const [row] = await this.scenario.harness.database.query<{ wrong: number }>(
      `select count(*)::int as wrong from project_chunk c join project p on p.id = c.project_id where p.id = $1::int
         and (select count(*) from project_vector v join project_vector_bits b using (set_id, chunk_id)
           where v.chunk_id = c.id and v.set_id = p.embedding_set_id) <> 1`,
      [this.id],
    );
    this.scenario.expect(row!.wrong === 0, `${row!.wrong} chunks have no vector`);
  }

  async expectFound(word: string, name: string): Promise<void> {
    const answer = await this.owner.browser.get<SearchHit[]>(`${this.path}/search?q=${word}`);
    this.scenario.expect(answer.body[0]?.name === name, `a search for ${word} found ${answer.body[0]?.name}`);
  }
}

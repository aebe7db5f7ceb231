import { StartRefused } from '../../deps'

/** An environment that cannot be built. `subject` names the package that broke it, when that is known. */
export class EnvironmentRefused extends StartRefused {
  readonly subject: string | null
  constructor(subject: string | null) {
    super('environment_failed', 'an environment could not be built; its log says why')
    this.name = 'EnvironmentRefused'
    this.subject = subject
  }
}

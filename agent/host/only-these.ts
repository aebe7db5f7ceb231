/** An environment with exactly these variables; nothing is inherited. (The framework's types demand NODE_ENV; a child does not.) */
export function onlyThese(variables: Record<string, string>): NodeJS.ProcessEnv {
  return variables as NodeJS.ProcessEnv
}

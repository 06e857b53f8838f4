/** Where a thing stands: its workspace and its own id. */
export interface Place {
  readonly workspace_id: number
  readonly id: number
}

export const at = ({ workspace_id, id }: Place) => ({ workspaceId: workspace_id, id })

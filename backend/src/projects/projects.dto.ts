import {
  type CopyFileRequest,
  type CreateProjectRequest,
  type GivenMember,
  LIMITS,
  MEMBER_ROLES,
  type MemberRole,
  PROJECT_LIMITS,
  type ProjectMembersRequest,
  type UpdateProjectRequest,
} from '@tanya/contract';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import {
  IsName,
  IsUnique,
  IsUuid,
  MaxLength,
  MayBeAbsent,
  MayBeEmpty,
  MinLength,
  NullIsAbsent,
  Trimmed,
} from '../platform/http/dto.decorators.js';
import { MAX_SMALL_ID } from '../platform/http/id.pipe.js';
import { Nested } from '../platform/http/input-sizes.js';
import { MAX_TOOLS, TOOL_NAME } from '../tools/tool.js';

const { name, instructions, members } = PROJECT_LIMITS;

class ProjectFieldsDto {
  /** null is none. */
  @MayBeEmpty()
  @IsString()
  @Trimmed()
  @MaxLength(instructions.max)
  instructions?: string | null;

  @MayBeEmpty()
  @IsString()
  @MinLength(1)
  @MaxLength(LIMITS.modelId.max)
  modelId?: string | null;

  @NullIsAbsent()
  @IsArray()
  @ArrayMaxSize(MAX_TOOLS)
  @IsUnique()
  @Matches(TOOL_NAME, { each: true })
  tools?: string[];
}

export class CreateProjectDto extends ProjectFieldsDto implements CreateProjectRequest {
  @IsName(name)
  name: string;
}

export class UpdateProjectDto extends ProjectFieldsDto implements UpdateProjectRequest {
  @MayBeAbsent()
  @IsName(name)
  name?: string;
}

export class CopyFileDto implements CopyFileRequest {
  @IsUuid()
  fileId: string;
}

class GivenMemberDto implements GivenMember {
  @NullIsAbsent()
  @IsString()
  @Trimmed()
  @MinLength(1)
  @MaxLength(LIMITS.username.max)
  username?: string;

  @NullIsAbsent()
  @Max(MAX_SMALL_ID)
  @Min(1)
  @IsInt()
  userId?: number;

  @IsIn(MEMBER_ROLES)
  role: MemberRole;
}

export class ProjectMembersDto implements ProjectMembersRequest {
  @IsArray()
  @ArrayMaxSize(members + 1)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Nested(() => GivenMemberDto)
  members: GivenMemberDto[];
}

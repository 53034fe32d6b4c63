"""Whether the numbers and truth values of a State JSON object fit the rows that run and the decision (NORTH-PH-10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from northmen_env.games.northgard.card_table import UNREST, BuildBit, DrawBit, ExploreBit, HandBit, MoveBit, RecruitBit
from northmen_env.games.northgard.cards import copying, hands, striking
from northmen_env.games.northgard.options import Clan
from northmen_env.games.northgard.phases import recruit
from northmen_env.games.northgard.plots import PER_WORD
from northmen_env.games.northgard.state import Decision, Frame, Phase
from northmen_env.games.northgard.tables import UNITS, Kind


def has(words: Any, t: int) -> bool:
    """Return whether a set holds a territory."""
    return bool(int(words[t // PER_WORD]) >> t % PER_WORD & 1)


def check_counts(rules: Any, state: Any) -> None:
    """Check what no single range of values says.

    Raises:
        ValueError: with a sentence that names the value.
    """
    moment = Moment(rules, state)
    moment.check_turn()
    moment.check_creatures()
    for depth, kind in enumerate(moment.kinds):
        check = CHECKS.get(kind)
        if check is not None:
            check(moment, int(state.frame_row[depth]))


class Moment:
    """A record that was read, with what is asked of it."""

    def __init__(self, rules: Any, state: Any) -> None:
        self.rules, self.state, self.n = rules, state, int(rules.num_players)
        self.kinds = [Frame(int(kind)) for kind in state.frame_kind[: int(state.depth)]]
        self.top = self.kinds[-1] if self.kinds else Frame.NONE
        self.decision, self.turn = Decision(int(state.decision)), int(state.turn)

    def at(self, *names: str) -> bool:
        """Return whether one of these decisions is asked."""
        return self.decision.name in names

    def need(self, fits: Any, sentence: str) -> None:
        if not fits:
            raise ValueError(f"{sentence} at {self.decision.name}")

    def between(self, field: str, key: str, low: int, high: int) -> None:
        value = int(self.state[field])
        wanted = f"{low}" if low >= high else f"an integer in {low}..{high}"
        self.need(low <= value <= high, f"{key} must be {wanted}, not {value},")

    # -- what seats have -----------------------------------------------------------------------------------------------

    def total(self, p: int) -> int:
        return int(self.state.resources[p].sum())

    def cards(self, p: int) -> int:
        return int(self.state.pile_size[p]) + int(self.state.discard_size[p])

    def reserve(self, p: int) -> int:
        return UNITS - int(self.state.on_map[p])

    def figures(self, t: int, p: int) -> int:
        kaija = p == self.state.bear and t == self.state.kaija
        return int(self.state.units[t, p]) + int(kaija)

    def holders(self, t: int) -> list[int]:
        return [p for p in range(self.n) if has(self.state.owned[p], t)]

    def are_enemies(self, p: int, q: int) -> bool:
        return bool(int(self.rules.enemies[p]) >> q & 1)

    def kaija_waits(self) -> bool:
        return bool(self.state.bear == self.turn and self.state.kaija < 0)

    # -- outside frames ------------------------------------------------------------------------------------------------

    def check_turn(self) -> None:
        state, turn = self.state, self.turn
        self.need(state.resolved or not state.main_used, "`resolved` must be true where `main_used` is")
        fresh = "MENU WAIT_CARD REPLACE_CARD REMOVE_CARD UPG_CARD UPG_DEST UPG_PICK PASS_PICK PASS_CRE PASS_CRE_AT"
        self.need(not (state.resolved and self.at(*fresh.split())), "`resolved` must be false")
        self.need(state.resolved or not self.at("CONT"), "`resolved` must be true")
        if self.at("REMOVE_CARD"):
            self.need(state.hand[turn, 0] != UNREST, f"`hand[{turn}]` must hold a card that is not Unrest")
        if self.at("UPG_CARD", "UPG_DEST"):
            self.need(state.upgrades[turn], f"`upgrades[{turn}]` must not be empty")
        if self.at("SETUP_KAIJA", "SC_KAIJA", "REC_KAIJA"):
            self.need(self.kaija_waits(), f"`kaija` must be null and the Bear's clan seat {turn}'s")
        if self.at("PASS_CRE"):
            left = state.creature_pile_size > 0 or state.creature_discard
            self.need(self.rules.more_creatures and left, "`creature_pile` or `creature_discard` must hold a card")
            self.need(state.line_size < self.n, f"`creatures` must be fewer than {self.n}")
        if self.at("TOKEN"):
            self.need(state.snake == turn, "`turn` must be the seat of the Snake clan")
        for p in range(self.n):
            self.check_setup(p)

    def check_setup(self, p: int) -> None:
        """In setup each tile laid brings a group of three figures; before and after it nobody holds tiles."""
        state = self.state
        tiles = sum(int(tile) >= 0 for tile in state.tile_hand[p])
        if state.phase != Phase.SETUP:
            self.need(tiles == 0, f"`tile_hands[{p}]` must be []")
            due = 0
        else:
            laid = 3 - tiles - (p == self.turn and self.decision >= Decision.SETUP_TERR)
            self.need(laid in (0, 1, 2), f"`tile_hands[{p}]` must hold one to three tiles")
            due = 3 * laid
        if state.phase in (Phase.CLAN, Phase.SETUP):
            found = int(state.on_map[p]) + (p == state.bear and state.kaija >= 0)
            self.need(found == due, f"`units`: seat {p} must have {due} figures, not {found},")

    def check_creatures(self) -> None:
        state, top = self.state, int(self.state.creature_top)
        if top == 0:
            return
        self.between("creature_top", "`creature_top`", 0, self.n + 1)
        size = int(state.creature_pile_size)
        kinds = [self.rules.creature_kind[creature] for creature in state.creature_pile[size - top : size]]
        self.need(Kind.VALKYRIE not in kinds, "the first `creature_top` of `creature_pile` must not be Valkyries")

    # -- frames of phases ----------------------------------------------------------------------------------------------

    def check_roaming(self, row: int) -> None:
        state = self.state
        if self.at("CR_MOVE"):
            line = state.line[: int(state.line_size)]
            self.need(state.creature in line, "`creature` of the frame CREATURES must be one of `creatures`")

    def check_harvest(self, row: int) -> None:
        state, turn = self.state, self.turn
        swapping = self.at("SW_GIVE", "SW_TAKE", "SW_OK")
        if int(self.rules.ally[turn]) < 0 or self.at("HV_SCORCH"):
            self.between("swaps", "`swaps` of the frame HARVEST", 0, 0)
            self.need(not state.swaps_over, "`swaps_over` of the frame HARVEST must be false")
        if swapping:
            self.need(int(self.rules.ally[turn]) >= 0, "`options.teams` must be true")
            self.between("swaps", "`swaps` of the frame HARVEST", 0, 5)
            self.need(not state.swaps_over, "`swaps_over` of the frame HARVEST must be false")
        if self.at("HV_SCORCH"):
            snake = int(state.snake)
            fits = snake >= 0 and state.token >= 0 and self.holders(int(state.token)) == [turn]
            self.need(
                fits and self.are_enemies(snake, turn), "`token` must lie with seat `turn`, an enemy of the Snake,"
            )

    def check_second(self, row: int) -> None:
        state, turn = self.state, self.turn
        if self.top == Frame.SECOND:
            none = state.on_map[turn] == 0 and not (turn == state.bear and state.kaija >= 0)
            self.need(none, f"seat {turn} must have no figure on the map")
        if self.at("SC_CELL", "SC_ROT"):
            self.need(not state.second_placed, "`placed` of the frame SECOND must be false")

    # -- cards ---------------------------------------------------------------------------------------------------------

    def check_card(self, row: int) -> None:
        card = int(self.state.card)
        flash = self.rules.card_flash[card]
        self.need(flash or not self.state.main_used, f"`main_used` must be false: card {card} has no Flash")
        if self.at("TOKEN") and self.top == Frame.CARD:
            self.need(self.rules.card_clan[card] == Clan.SNAKE, f"card {card} must be one of the Snake clan")

    def check_copy(self, row: int) -> None:
        who, own = int(self.state.copy_who), self.rules.card_a[row] == copying.OWN
        if own or self.at("CP_WHO"):
            self.need(who < 0, "`who` of the frame COPY must be null")
        else:
            fits = who >= 0 and self.are_enemies(self.turn, who)
            self.need(fits, f"`who` of the frame COPY must be an enemy of seat {self.turn}")

    def check_choose(self, row: int) -> None:
        done = int(self.state.chosen)
        most = int(self.rules.card_a[row]) - (self.top == Frame.CHOOSE)
        fits = done & ~int(self.rules.card_b[row]) == 0 and bin(done).count("1") <= most
        self.need(fits, f"`done` of the frame CHOOSE must be at most {most} of the actions of card {row}")
        depth = self.kinds.index(Frame.CHOOSE) + 1
        if depth < len(self.kinds):
            act = int(self.state.frame_row[depth])
            self.need(done >> act & 1, f"`done` of the frame CHOOSE must hold the action {act}, which runs")

    def check_recruit(self, row: int) -> None:
        state, rules, turn = self.state, self.rules, self.turn
        placed = [t for t in range(int(state.plots)) if has(state.recruited, t)]
        rooms = [t for t in range(int(state.plots)) if state.room[t]]
        for key, places in (("placed", placed), ("room", rooms)):
            free = all(self.holders(t) in ([], [turn]) for t in places)
            self.need(free, f"`{key}` of the frame RECRUIT must be neutral or seat {turn}'s")
        self.need(all(self.holders(t) for t in placed), f"`placed` of the frame RECRUIT must be seat {turn}'s")
        calm = not any(has(state.bears, t) or (has(state.valkyries, t) and not self.holders(t)) for t in rooms)
        self.need(calm, "`room` of the frame RECRUIT must be without Brown Bear and Valkyrie")
        spread, kind = int(rules.card_c[row]), int(rules.card_d[row])
        for t in rooms:
            most = 1 if spread == recruit.SPREAD else int(state.yields[t, kind]) if spread == recruit.BY_YIELD else -1
            fits = state.room[t] == -1 if most < 0 else 1 <= state.room[t] <= most
            self.need(fits, f"`room` of the frame RECRUIT must be {most if most >= 0 else 'null'} at the most")
        if spread == recruit.SINGLE and placed:
            self.need(len(placed) == 1 and rooms in ([], placed), "`room` and `placed` of the frame RECRUIT are one")
        loop = self.at("REC_TERR", "REC_KAIJA")
        number = int(rules.card_a[row]) - int(state.left)
        if loop:
            self.between("left", "`left` of the frame RECRUIT", 1, int(rules.card_a[row]) - len(placed))
            self.need(bool(placed) == (number > 0), f"`left` of the frame RECRUIT must fit `placed` {placed}")
            self.need(self.reserve(turn) or self.kaija_waits(), f"seat {turn} must have a figure in reserve")
        else:
            self.between("left", "`left` of the frame RECRUIT", 0, 0)
            self.need(not rooms, "`room` of the frame RECRUIT must be []")
            self.need(placed, "`placed` of the frame RECRUIT must not be empty")
        if self.at("REC_KAIJA"):
            self.need(self.reserve(turn), f"seat {turn} must have a unit in reserve")
        if state.recruit_kaija:
            fits = state.bear == turn and int(state.kaija) in placed
            self.need(fits, "`kaija` of the frame RECRUIT must be false where Kaija is in none of `placed`")
        if int(rules.card_fl[row]) & RecruitBit.KAIJA_FREE:
            self.need(state.kaija_free[turn], f"`kaija_free[{turn}]` must be true: card {row} runs")
        paying = self.at("REC_PAY") or self.top == Frame.PAY
        if paying:
            self.need(int(rules.card_fl[row]) & RecruitBit.PAY2, f"card {row} must sell a unit")
            self.need(self.reserve(turn), f"seat {turn} must have a unit in reserve")
        if self.at("REC_PAY"):
            self.need(self.total(turn) >= 2, f"seat {turn} must have two resources")
        if self.at("REC_CAMP"):
            self.need(int(state.place) in placed, "`terr` of the frame RECRUIT must be one of `placed`")
        if self.at("REC_PULL"):
            self.need(int(rules.card_fl[row]) & RecruitBit.PULL, f"card {row} must have the bit PULL")

    def check_move(self, row: int) -> None:
        state, turn = self.state, self.turn
        moving = self.at("MV_SRC", "MV_DST", "MV_NUM", "MV_KAIJA")
        self.between("left", "`left` of the frame MOVE", 0, int(self.rules.card_a[row]))
        size = int(state.due_size)
        if moving or self.at("TOKEN"):
            self.need(size == 0, "`due` of the frame MOVE must be []")
        for t, creature in zip(state.due_place[:size].tolist(), state.due_creature[:size].tolist(), strict=True):
            slot = int(state.slot[t])
            fits = has(state.owned[turn], t)
            if creature >= 0:
                fits = fits and state.creature_at[creature] == t
            else:
                fits = fits and any(self.are_enemies(turn, p) for p in self.holders(t))
            self.need(fits, f"`due` of the frame MOVE: seat {turn} must stand with whom it fights in territory {slot}")
            if self.at("MV_CRE"):
                early = creature >= 0 and t < state.place
                self.need(early, f"`due` of the frame MOVE must hold fights with creatures before `terr`, not {slot},")
        if self.at("MV_CRE"):
            self.need(self.holders(int(state.place)) == [turn], f"`terr` of the frame MOVE must be seat {turn}'s")
        if self.at("TOKEN"):
            fits = bool(int(self.rules.card_fl[row]) & MoveBit.TOKEN_AFTER) and Frame.COPY not in self.kinds
            self.need(fits, f"card {row}, not copied, must have the bit TOKEN_AFTER")

    def check_explore(self, row: int) -> None:
        state, rules = self.state, self.rules
        drawn = sum(int(tile) >= 0 for tile in state.drawn_tile)
        bit = int(rules.card_fl[row]) & ExploreBit.REDRAW
        self.between("left", "`left` of the frame EXPLORE", int(self.at("EX_AGAIN")), int(rules.card_b[row]) - 1)
        picking = self.at("EX_REDRAW", "EX_PICK")
        most = (1 if state.redrawn else int(rules.card_a[row])) if picking else 0
        fits = min(most, 1) <= drawn <= most
        self.need(fits, f"`drawn` of the frame EXPLORE must be {f'1 to {most}' if most else 'no'} tiles, not {drawn},")
        if not bit or self.at("EX_REDRAW", "EX_AGAIN"):
            self.need(not state.redrawn, "`redrawn` of the frame EXPLORE must be false")
        if self.at("EX_REDRAW"):
            self.need(bit and state.stack_size, f"card {row} must have the bit REDRAW, and the stack a tile,")

    def check_build(self, row: int) -> None:
        state, rules = self.state, self.rules
        most, bits = int(rules.card_a[row]), int(rules.card_fl[row])
        exchange = self.decision.name.startswith("RP_")
        self.between("left", "`left` of the frame BUILD", 0 if exchange else 1, most)
        self.need(not state.large_built or state.left < most, "`large` of the frame BUILD must be false")
        due = bits & BuildBit.GATHER and self.at("BD_TYPE", "BD_CARVED")
        what = "must be true or false" if due else "must be null"
        self.need((state.gathered >= 0) == bool(due), f"`gather` of the frame BUILD {what}")
        if self.at("BD_GATHER"):
            self.need(bits & BuildBit.GATHER, f"card {row} must have the bit GATHER")
        if exchange:
            self.need(bits & BuildBit.REPLACE, f"card {row} must have the bit REPLACE")
        if self.at("BD_TERR", "RP_TERR"):
            self.need(state.place < 0, "`terr` of the frame BUILD must be null")

    def check_draw(self, row: int) -> None:
        state, rules = self.state, self.rules
        number, keep, top = int(rules.card_a[row]), int(rules.card_b[row]), int(rules.card_d[row])
        if self.at("DR_KEEP"):
            self.between("keep", "`keep` of the frame DRAW", 1, keep)
            self.between("top", "`top` of the frame DRAW", top, top)
            number -= keep - int(state.keep)
            first = state.keep == keep
            self.need((state.last < 0) == first, f"`last` of the frame DRAW must {'' if first else 'not '}be null")
        elif self.at("DR_TOP"):
            self.between("keep", "`keep` of the frame DRAW", 0, 0)
            self.between("top", "`top` of the frame DRAW", 1, top)
            number -= keep + top - int(state.top)
        else:
            number = 0
            self.between("keep", "`keep` of the frame DRAW", 0, 0)
            self.between("top", "`top` of the frame DRAW", 0, 0)
            turn = self.turn
            self.need(int(rules.card_fl[row]) & DrawBit.PAY3, f"card {row} must have the bit PAY3")
            self.need(self.cards(turn), f"`draw_pile[{turn}]` or `discard[{turn}]` must hold a card")
        if self.at("DR_PAY"):
            self.need(self.total(self.turn) >= 3, f"seat {self.turn} must have three resources")
        self.between("drawn_size", "the number of cards `drawn` of the frame DRAW", number, number)
        self.need(state.last < 0 or self.at("DR_KEEP"), "`last` of the frame DRAW must be null")

    def check_strike(self, row: int) -> None:
        state, rules, turn = self.state, self.rules, self.turn
        follows = int(rules.card_b[row])
        if self.at("ST_TERR", "ST_RES"):
            due = self.at("ST_RES")
            self.need(bool(state.struck) == due, f"`struck` of the frame STRIKE must be {str(due).lower()}")
        if self.at("ST_RES"):
            self.need(follows == striking.COLLECT, f"card {row} must collect")
        if self.at("ST_ADD"):
            fits = follows == striking.ADD and self.reserve(turn)
            self.need(fits, f"card {row} must add a unit, and seat {turn} have one in reserve,")

    def check_raid(self, row: int) -> None:
        state, rules = self.state, self.rules
        one, victim = int(rules.card_a[row]) == hands.ONE_ENEMY, int(state.victim)
        losing = self.at("HD_CARD", "HD_RANSOM") or self.top == Frame.PAY
        if losing:
            self.need(victim >= 0 and state.hand_size[victim], "`victim` of the frame HAND must hold a card")
            self.between("left", "`left` of the frame HAND", 1, int(rules.card_c[row]))
        else:
            self.need(victim < 0, "`victim` of the frame HAND must be null")
            self.between("left", "`left` of the frame HAND", 0, 0)
        attacked = losing or self.at("HD_DRAW")
        self.need(bool(state.attacked) == attacked, f"`attacked` of the frame HAND must be {str(attacked).lower()}")
        if self.at("HD_WHO", "HD_ALL"):
            self.need(one == self.at("HD_WHO"), f"card {row} must attack {'all enemies' if one else 'one enemy'}")
            targets = any(self.are_enemies(self.turn, p) and state.hand_size[p] for p in range(self.n))
            self.need(targets, "an enemy must hold a card")
        if self.at("HD_DRAW"):
            self.need(rules.card_d[row] and self.cards(self.turn), f"card {row} must draw, and there must be a card,")
        if self.at("HD_RANSOM") or self.top == Frame.PAY:
            self.need(int(rules.card_fl[row]) & HandBit.RANSOM, f"card {row} must have the bit RANSOM")
        if self.at("HD_RANSOM"):
            self.need(self.total(victim) >= 2, f"seat {victim} must have two resources")

    def check_pay(self, row: int) -> None:
        state, below = self.state, self.kinds[-2]
        payer = int(state.victim) if below == Frame.HAND else self.turn
        to = self.turn if below == Frame.HAND else -1
        most = 3 if below == Frame.DRAW else 2
        self.need(state.payer == payer, f"`payer` of the frame PAY must be seat {payer} on a {below.name}")
        whom = "null" if to < 0 else f"seat {to}"
        self.need(state.paid_to == to, f"`to` of the frame PAY must be {whom} on a {below.name}")
        self.between("owed", "`left` of the frame PAY", 1, most)
        paid = below == Frame.HARVEST or state.owed < most
        self.need((state.paid_last >= 0) == paid, f"`last` of the frame PAY must {'not ' if paid else ''}be null")

    def check_combat(self, row: int) -> None:
        state, below = self.state, self.kinds[-2]
        t, a, d, foe = (int(state[field]) for field in ("fight_at", "attacker", "defender", "foe"))
        if below == Frame.MOVE:
            due = dict(zip(state.due_place.tolist(), state.due_creature.tolist(), strict=True))
            self.need(a == self.turn and due.get(t, -2) == foe, "the frame COMBAT must be one of `due` of the MOVE")
        elif below == Frame.BRIBE:
            self.need(foe < 0 and t == state.dst, "the frame COMBAT must be one of two seats in `dst` of the BRIBE")
        else:
            self.need(a < 0, f"`attacker` of the frame COMBAT must be null on a {below.name}")
        if below == Frame.CREATURES:
            self.need(foe == state.creature, "`creature` of the frame COMBAT must be the active one")
        if foe >= 0:
            self.need(state.creature_at[foe] == t, f"creature {foe} must be in `terr` of the frame COMBAT")
        else:
            self.need(self.are_enemies(a, d), "`attacker` and `defender` of the frame COMBAT must be enemies")
        self.check_fighting(row, t, a, d, foe)

    def check_fighting(self, row: int, t: int, a: int, d: int, foe: int) -> None:
        state, rules = self.state, self.rules
        retreat = self.decision.name.startswith("RT_")
        loser = int(state.loser)
        if retreat:
            self.need(loser in (a, d), "`loser` of the frame COMBAT must be one of its seats")
            kaija = self.at("RT_KAIJA")
            self.need(
                bool(state.units[t, loser]) != kaija, f"`terr` of the frame COMBAT must hold {'no ' * kaija}units"
            )
        for p in (loser,) if retreat else (a, d):
            self.need(p < 0 or self.figures(t, p), f"seat {p} must have figures in `terr` of the frame COMBAT")
        bits = int(rules.card_fl[row]) if row >= 0 and foe < 0 else 0
        if self.at("CB_PUSH"):
            fits = bits & MoveBit.PUSH and state.units[t, d]
            self.need(fits, f"card {row} must have the bit PUSH, and seat {d} units in `terr`,")
        rolled = [Decision.CB_FACE_A, Decision.CB_FACE_D]
        sides = (("a", a, Decision.CB_FOOD_A), ("d", d, Decision.CB_FOOD_D))
        for k, (side, p, asked) in enumerate(sides):
            self.check_set(f"food_{side}", p >= 0 and self.decision > asked)
            if p >= 0 and not retreat:
                self.between(f"food_{side}", f"`food_{side}` of the frame COMBAT", -1, self.figures(t, p))
            self.check_set(f"roll_{side}", self.decision >= rolled[k])
            choice = state[f"roll_{side}"] >= 0 and foe < 0 and rules.die_choice[state[f"roll_{side}"]]
            self.need(choice or self.decision != rolled[k], f"`roll_{side}` of the frame COMBAT must leave a choice")
            self.check_set(f"face_{side}", bool(choice) and self.decision > rolled[k])
        self.need(bits & MoveBit.EITHER or not self.at("CB_EITHER"), f"card {row} must have the bit EITHER")
        self.check_set("either", bool(bits & MoveBit.EITHER) and self.decision > Decision.CB_EITHER)

    def check_set(self, key: str, due: bool) -> None:
        what = "must be set" if due else "must be null"
        self.need((self.state[key] >= 0) == due, f"`{key}` of the frame COMBAT {what}")


CHECKS: Mapping[Frame, Callable[[Moment, int], None]] = {
    Frame.CREATURES: Moment.check_roaming,
    Frame.HARVEST: Moment.check_harvest,
    Frame.SECOND: Moment.check_second,
    Frame.CARD: Moment.check_card,
    Frame.COPY: Moment.check_copy,
    Frame.CHOOSE: Moment.check_choose,
    Frame.RECRUIT: Moment.check_recruit,
    Frame.MOVE: Moment.check_move,
    Frame.EXPLORE: Moment.check_explore,
    Frame.BUILD: Moment.check_build,
    Frame.DRAW: Moment.check_draw,
    Frame.STRIKE: Moment.check_strike,
    Frame.HAND: Moment.check_raid,
    Frame.PAY: Moment.check_pay,
    Frame.COMBAT: Moment.check_combat,
}
"""What is checked of a frame, with its row."""
